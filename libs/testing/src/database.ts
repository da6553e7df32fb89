import { createHash, randomBytes } from 'node:crypto'
import { grantConnect, type Migrations, migrate, type ProvisionedUrls, provision, provisionedUrls } from '@svc/database'
import { testServers } from '@svc/servers'
import pg from 'pg'

export interface TestDatabase {
  /** As the app role. */
  url: string
  workerUrl: string
  ownerUrl: string
  inspectUrl: string
  /** Runs a statement as the worker role, for as long as a busy machine takes: many rows of a test. */
  fill(text: string, values?: unknown[]): Promise<void>
  /** Gives statements of the app role 25 s instead of 5 from now on: a busy machine needs that for a page of what is large. */
  slacken(): Promise<void>
  /** Shifts app_now() by so much from the real time, for every session. */
  shiftClock(shiftMs: number): Promise<void>
  drop(): Promise<void>
}

/** Of a session whose statements may take longer than those of its role. */
export const PATIENT = { options: '-c statement_timeout=0' } as const satisfies pg.ClientConfig

/** Of every role of every test database of a server. */
export const ROLE_PASSWORD = 'test-only'
const passwords = { owner: ROLE_PASSWORD, app: ROLE_PASSWORD, worker: ROLE_PASSWORD, inspect: ROLE_PASSWORD }
const TEMPLATE_LOCK = 7_263_003

/** A migrated database of its own, cloned in milliseconds from a template that is built once per set of migrations. */
export async function testDatabase(
  service: string,
  migrations: Migrations,
  extensions: string[] = [],
): Promise<TestDatabase> {
  const { databaseAdminUrl: adminUrl } = await testServers()
  const template = `test_${service}_${await fingerprint(migrations, extensions)}`
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await withAdmin(adminUrl, async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const known = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])
    if (known.rowCount === 0) await buildTemplate(adminUrl, template, service, migrations, extensions)
    await admin.query(
      `CREATE DATABASE ${pg.escapeIdentifier(name)} OWNER ${pg.escapeIdentifier(`${service}_owner`)}
         TEMPLATE ${pg.escapeIdentifier(template)}`,
    )
    await grantConnect(admin, { name, service })
  })
  const urls = provisionedUrls({ adminUrl, name, service, passwords })
  return {
    ...namedUrls(urls),
    fill: (text, values = []) =>
      withSession({ connectionString: urls.workerUrl, ...PATIENT }, async (worker) => {
        await worker.query(text, values)
      }),
    slacken: () => withAdmin(adminUrl, (admin) => slacken(admin, name, `${service}_app`)),
    shiftClock: shiftClock(urls.ownerUrl),
    drop: () => dropDatabase(adminUrl, name),
  }
}

/** Built under another name, so that a build that was cut short is never taken for a template. */
async function buildTemplate(
  adminUrl: string,
  template: string,
  service: string,
  migrations: Migrations,
  extensions: string[],
): Promise<void> {
  const building = `${template}_building`
  await dropDatabase(adminUrl, building)
  const { ownerUrl } = await provision({ adminUrl, name: building, service, passwords, extensions, inspect: true })
  await migrate({ name: service, ownerUrl, migrations })
  await withAdmin(adminUrl, (admin) =>
    admin.query(`ALTER DATABASE ${pg.escapeIdentifier(building)} RENAME TO ${pg.escapeIdentifier(template)}`),
  )
}

const namedUrls = ({ appUrl, workerUrl, ownerUrl, inspectUrl }: ProvisionedUrls) => ({
  url: appUrl,
  workerUrl,
  ownerUrl,
  inspectUrl,
})

/** A session has what its role had when it began: those that there are make way for others. */
async function slacken(admin: pg.Client, name: string, role: string): Promise<void> {
  const [database, app] = [pg.escapeIdentifier(name), pg.escapeIdentifier(role)]
  await admin.query(`ALTER ROLE ${app} IN DATABASE ${database} SET statement_timeout = '25s'`)
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = $2', [
    name,
    role,
  ])
}

function shiftClock(ownerUrl: string) {
  return async (shiftMs: number): Promise<void> => {
    await withAdmin(ownerUrl, (owner) =>
      owner.query(
        `INSERT INTO app_clock (shift) VALUES (make_interval(secs => $1))
           ON CONFLICT (only_row) DO UPDATE SET shift = excluded.shift`,
        [shiftMs / 1000],
      ),
    )
  }
}

/** Removes a database and ends the connections to it. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withAdmin(adminUrl, (admin) => admin.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`))
}

const withAdmin = <T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> =>
  withSession({ connectionString: url }, work)

async function withSession<T>(config: pg.ClientConfig, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client(config)
  await session.connect()
  try {
    return await work(session)
  } finally {
    await session.end()
  }
}

/** What a migration finds that asks an empty database. */
const NOTHING_THERE = { execute: async () => [] }

/** Of the SQL that the migrations run, whatever constants it is composed of. */
async function fingerprint(migrations: Migrations, extensions: string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(extensions))
  for (const one of migrations) {
    if ('sql' in one) {
      hash.update(JSON.stringify(one))
      continue
    }
    const migration = new one.class(NOTHING_THERE as never, undefined as never)
    await migration.up()
    hash.update(JSON.stringify([one.name, migration.getQueries().map(String)]))
  }
  return hash.digest('hex').slice(0, 12)
}
