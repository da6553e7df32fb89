import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Migrations, migrate, provision } from '@svc/database'
import { databaseUrls } from './database-urls.ts'
import { ownerEnvironmentOf } from './environment.ts'
import { type MeshProcess, programOf, runsFromSource } from './find-processes.ts'
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
      await bringUpToDate(settings, service)
    }),
  )
}

async function bringUpToDate(settings: MeshSettings, service: MeshProcess): Promise<void> {
  const index = pathToFileURL(join(service.folder, programOf(service, 'db/migrations/index'))).href
  const { migrations } = (await import(index)) as { migrations: Migrations }
  const { name } = service
  const ownerUrl = databaseUrls(settings, name).owner
  if (await isSchemaCurrent(ownerUrl, migrations)) return
  // A process for each service would take longer to start than its migrations take; what was built brings its own.
  if (runsFromSource(service)) await migrate({ name, ownerUrl, migrations })
  else await runMigrate(settings, service)
}

async function runMigrate(settings: MeshSettings, service: MeshProcess): Promise<void> {
  try {
    await run(process.execPath, [programOf(service, 'commands/migrate')], {
      cwd: service.folder,
      env: ownerEnvironmentOf(service, settings),
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`migrating ${service.name} failed:\n${stdout}${stderr}`)
  }
}
