import { join } from 'node:path'
import { claimFolder, removeFolder } from './claim-folder.ts'
import { freePorts } from './free-port.ts'
import { newClusterId, startKafka } from './kafka.ts'
import type { KafkaGuard } from './kafka-guard.ts'
import { fetchKafkaJars } from './kafka-jars.ts'
import { type Servers, startServers } from './native-servers.ts'
import { scratchFolder } from './scratch-folder.ts'

const PASSWORD = 'test'

/**
 * Native servers of this process alone, in a folder that goes when they stop. A commit waits for no disk unless told so, and
 * then it is on one.
 */
export async function startPrivateServers(
  root: string,
  { durable = false } = {},
): Promise<Servers & { folder: string; logFolder: string }> {
  const folder = claimFolder(durable ? join(root, '.local', 'test') : scratchFolder(root))
  const [postgres, redis, kafka, kafkaController] = (await freePorts(4)) as [number, number, number, number]
  const logFolder = join(folder, 'logs')
  const servers = await startServers({
    folder,
    logFolder,
    cacheFolder: join(root, '.local', 'cache'),
    ports: { postgres, redis, kafka, kafkaController },
    password: PASSWORD,
    durable,
  })
  const stop = async () => {
    await servers.stop()
    removeFolder(folder)
  }
  return { ...servers, folder, logFolder, stop }
}

interface PrivateBrokers {
  brokers: string[]
  /** Where a guarded node takes who is on its machine for a superuser. */
  internal: string
  /** The node dies, as it is; its place in `brokers`. */
  kill(index: number): Promise<void>
  /** The node that was killed comes back, with what it kept. */
  revive(index: number): Promise<void>
  stop(): Promise<void>
}

/** A Kafka cluster of this process alone; one node may be guarded. */
export async function startPrivateBrokers(
  root: string,
  count: number,
  guard?: Omit<KafkaGuard, 'internalPort'>,
): Promise<PrivateBrokers> {
  const folder = claimFolder(scratchFolder(root))
  const jarsFolder = await fetchKafkaJars(join(root, '.local', 'cache'), () => {})
  const [controllerPort, internalPort, ...ports] = (await freePorts(count + 2)) as [number, number, ...number[]]
  const clusterId = newClusterId()
  const nodes: Array<Awaited<ReturnType<typeof startKafka>>> = []
  const start = async (index: number) => {
    const node = { id: index + 1, clusterId }
    const port = ports[index] as number
    const logFolder = join(folder, 'logs')
    const guarding = { guard: guard && { ...guard, internalPort } }
    nodes[index] = await startKafka({ folder, logFolder, port, controllerPort, jarsFolder, node, ...guarding })
  }
  const stop = async () => {
    for (const { child } of nodes.toReversed()) await child.stop()
    removeFolder(folder)
  }
  try {
    for (const index of ports.keys()) await start(index)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    brokers: nodes.map(({ broker }) => broker),
    internal: `127.0.0.1:${internalPort}`,
    async kill(index) {
      nodes[index]?.child.kill('SIGKILL')
      await nodes[index]?.child.exited
    },
    revive: start,
    stop,
  }
}
