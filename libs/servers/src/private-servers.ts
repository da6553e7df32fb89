import { join } from 'node:path'
import { claimFolder, removeFolder } from './claim-folder.ts'
import { freePorts } from './free-port.ts'
import { newClusterId, startKafka } from './kafka.ts'
import { fetchKafkaJars } from './kafka-jars.ts'
import { type Servers, startServers } from './native-servers.ts'

const PASSWORD = 'test'

/** Native servers of this process alone, in a folder below `.local/test` that goes when they stop. */
export async function startPrivateServers(root: string): Promise<Servers & { logFolder: string }> {
  const folder = claimFolder(join(root, '.local', 'test'))
  const [postgres, redis, kafka, kafkaController] = (await freePorts(4)) as [number, number, number, number]
  const logFolder = join(folder, 'logs')
  const servers = await startServers({
    folder,
    logFolder,
    cacheFolder: join(root, '.local', 'cache'),
    ports: { postgres, redis, kafka, kafkaController },
    password: PASSWORD,
    durable: false,
  })
  const stop = async () => {
    await servers.stop()
    removeFolder(folder)
  }
  return { ...servers, logFolder, stop }
}

/** A Kafka cluster of this process alone. */
export async function startPrivateBrokers(
  root: string,
  count: number,
): Promise<{ brokers: string[]; stop: () => Promise<void> }> {
  const folder = claimFolder(join(root, '.local', 'test'))
  const jarsFolder = await fetchKafkaJars(join(root, '.local', 'cache'), () => {})
  const [controllerPort, ...ports] = (await freePorts(count + 1)) as [number, ...number[]]
  const clusterId = newClusterId()
  const started: Array<Awaited<ReturnType<typeof startKafka>>> = []
  const stop = async () => {
    for (const { child } of started.toReversed()) await child.stop()
    removeFolder(folder)
  }
  try {
    for (const [index, port] of ports.entries()) {
      const node = { id: index + 1, clusterId }
      started.push(
        await startKafka({ folder, logFolder: join(folder, 'logs'), port, controllerPort, jarsFolder, node }),
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { brokers: started.map(({ broker }) => broker), stop }
}
