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

/** Creates each service's database and roles, and brings every schema up to date. Does nothing where all that is done. */
export async function prepareDatabases(settings: MeshSettings): Promise<void> {
  const services = settings.processes.filter(({ kind, replica }) => kind === 'service' && replica === 1)
  await Promise.all(
    services.map(async (service) => {
      const { migrations, extensions } = await schemaOf(service)
      await provision({
        adminUrl: settings.servers.databaseAdminUrl,
        name: settings.prefix + service.name,
        service: service.name,
        passwords: Object.fromEntries(ROLES.map((role) => [role, settings.rolePassword(service.name, role)])) as Record<
          Role,
          string
        >,
        extensions,
        inspect: true,
      })
      await bringUpToDate(settings, service, migrations)
    }),
  )
}

/** The migrations of a service, and what its database needs beyond Postgres itself. */
async function schemaOf(service: MeshProcess): Promise<{ migrations: Migrations; extensions?: string[] }> {
  return await import(pathToFileURL(join(service.folder, programOf(service, 'db/migrations/index'))).href)
}

async function bringUpToDate(settings: MeshSettings, service: MeshProcess, migrations: Migrations): Promise<void> {
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
