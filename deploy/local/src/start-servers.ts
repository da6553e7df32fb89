import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MeshSettings, prepareDatabases } from '@svc/mesh'
import { startServers } from '@svc/servers'
import { localSettings } from './local-settings.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { localFolder, stackFile } from './paths.ts'
import { progress } from './progress.ts'
import type { Session } from './run-until-stopped.ts'

/** Starts the servers of this clone's local run and brings its databases up to date; only one run has them at a time. */
export async function startLocalServers(session: Session): Promise<MeshSettings> {
  session.onStop('', oneAtATime(join(localFolder, 'start.pid')))
  // Of a run that was killed.
  rmSync(stackFile, { force: true })
  const settings = await localSettings()

  const given = settings.servers.given ?? {}
  const own = [
    ...(given.databaseAdminUrl ? [] : ['PostgreSQL']),
    ...(given.redisUrl ? [] : ['Redis']),
    ...(given.kafkaBrokers ? [] : ['Kafka']),
  ].join(', ')
  if (own) progress(`starting ${own}`)
  const onDatabase = async () => {
    progress('preparing the databases')
    await prepareDatabases(settings.mesh)
  }
  const servers = await startServers({ ...settings.servers, onDatabase, report: progress })
  session.onStop(own, () => servers.stop())
  session.signal.throwIfAborted()
  return settings.mesh
}

/** Marks for Tilt that the servers answer. */
export function markReady(session: Session): void {
  const file = join(localFolder, 'servers.ready')
  writeFileSync(file, '')
  session.onStop('', () => rmSync(file, { force: true }))
}
