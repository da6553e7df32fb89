import { join } from 'node:path'
import { claimFolder, removeFolder } from './claim-folder.ts'
import { freePorts } from './free-port.ts'
import { type Servers, startServers } from './native-servers.ts'

const PASSWORD = 'test'

/** Native servers of this process alone, in a folder below `.local/test` that goes when they stop. */
export async function startPrivateServers(root: string): Promise<Servers> {
  const folder = claimFolder(join(root, '.local', 'test'))
  const [postgres, redis, kafka, kafkaController] = (await freePorts(4)) as [number, number, number, number]
  const servers = await startServers({
    folder,
    logFolder: join(folder, 'logs'),
    cacheFolder: join(root, '.local', 'cache'),
    ports: { postgres, redis, kafka, kafkaController },
    password: PASSWORD,
    durable: false,
  })
  const stop = async () => {
    await servers.stop()
    removeFolder(folder)
  }
  return { ...servers, stop }
}
