import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { provision } from '@svc/database'
import { databaseUrls } from './database-urls.ts'
import { ownerEnvironmentOf } from './environment.ts'
import { conditionsOf, type MeshProcess, programOf } from './find-processes.ts'
import { isSchemaCurrent } from './is-schema-current.ts'
import { type MeshSettings, ROLES, type Role } from './settings.ts'

const run = promisify(execFile)

/** What a service's database needs beyond Postgres itself. */
const EXTENSIONS: Readonly<Record<string, string[]>> = { dispatch: ['postgis'] }

/** Creates each service's database and roles, and brings every schema up to date. Does nothing where all that is done. */
export async function prepareDatabases(settings: MeshSettings): Promise<void> {
  const services = settings.processes.filter(({ kind, replica }) => kind === 'service' && replica === 1)
  await Promise.all(
    services.map(async (service) => {
      await provision({
        adminUrl: settings.servers.databaseAdminUrl,
        name: settings.prefix + service.name,
        service: service.name,
        passwords: Object.fromEntries(ROLES.map((role) => [role, settings.rolePassword(service.name, role)])) as Record<
          Role,
          string
        >,
        extensions: EXTENSIONS[service.name],
        inspect: true,
      })
      await migrate(settings, service)
    }),
  )
}

async function migrate(settings: MeshSettings, service: MeshProcess): Promise<void> {
  if (await isSchemaCurrent(databaseUrls(settings, service.name).owner, service)) return
  try {
    await run(process.execPath, [...conditionsOf(service), programOf(service, 'commands/migrate')], {
      cwd: service.folder,
      env: ownerEnvironmentOf(service, settings),
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`migrating ${service.name} failed:\n${stdout}${stderr}`)
  }
}
