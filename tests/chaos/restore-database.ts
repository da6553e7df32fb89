import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { provision } from '@svc/database'
import { type Mesh, testServers } from '@svc/testing'
import pg from 'pg'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** A copy of a service's database at this moment, as a backup has it, which can be put in its place. */
export async function backUp(system: Mesh, service: string) {
  const { databaseAdminUrl: adminUrl } = await testServers()
  const urls = system.databaseUrls[service]!
  const name = new URL(urls.owner).pathname.slice(1)
  const copy = `${name}_backup`
  await alone(adminUrl, name, async (admin) => {
    await admin.query(`CREATE DATABASE ${id(copy)} OWNER ${id(`${service}_owner`)} TEMPLATE ${id(name)}`)
  })
  return {
    /** Puts the copy in the place of the database, raises its versions, and lets the service begin anew. */
    async restore(): Promise<void> {
      await alone(adminUrl, name, async (admin) => {
        await admin.query(`DROP DATABASE ${id(name)}`)
        await admin.query(`ALTER DATABASE ${id(copy)} RENAME TO ${id(name)}`)
      })
      // What a role may do with a database is not in a copy of it.
      const password = new URL(urls.owner).password
      const passwords = { owner: password, app: password, worker: password, inspect: password }
      await provision({ adminUrl, name, service, passwords, inspect: true })
      await raise(system, service)
      await system.kill(service)
    },
    drop: () => admined(adminUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS ${id(copy)} WITH (FORCE)`)),
  }
}

/** Runs the command of a service that raises its versions. */
export async function raise(system: Mesh, service: string): Promise<void> {
  const command = `services/${service}/src/commands/raise-versions.ts`
  const url = { [`${service.toUpperCase()}_WORKER_URL`]: system.databaseUrls[service]!.worker }
  const env = { ...process.env, NODE_OPTIONS: '', ...url }
  await run(process.execPath, ['--conditions=source', command], { cwd: root, env })
}

const id = pg.escapeIdentifier

/** Nobody else is connected to the database meanwhile; the service tries again by itself. */
async function alone(adminUrl: string, name: string, work: (admin: pg.Client) => Promise<void>): Promise<void> {
  await admined(adminUrl, async (admin) => {
    await admin.query(`ALTER DATABASE ${id(name)} ALLOW_CONNECTIONS false`)
    await admin.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [name])
    await work(admin)
    await admin.query(`ALTER DATABASE ${id(name)} ALLOW_CONNECTIONS true`)
  })
}

async function admined<T>(adminUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
