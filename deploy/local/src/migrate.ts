// `npm run migrate`: creates what is missing of each service's database and roles, and runs pending migrations as owner,
// on the server of DATABASE_ADMIN_URL, else on that of the local run, which is started for it where it does not run.
import { join } from 'node:path'
import { prepareDatabases } from '@svc/mesh'
import { livePid, startServers } from '@svc/servers'
import { localSettings, runningSettings } from './local-settings.ts'
import { localFolder } from './paths.ts'
import { progress } from './progress.ts'

const isUp = Boolean(process.env.DATABASE_ADMIN_URL) || livePid(join(localFolder, 'start.pid')) !== undefined
const { mesh, servers } = isUp ? runningSettings() : await localSettings()
const { redisUrl, kafkaBrokers } = mesh.servers
const started = isUp
  ? undefined
  : await startServers({ ...servers, given: { redisUrl, kafkaBrokers }, report: progress })
try {
  progress('preparing the databases')
  await prepareDatabases(mesh)
} finally {
  await started?.stop()
}
