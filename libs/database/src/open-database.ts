import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql'
import { createLogger } from '@svc/logging'
import { type ControlledTransaction, Kysely } from 'kysely'
import pg from 'pg'
import { observePool } from './observe-pool.ts'
import { neverRun } from './pending.ts'
import { ReleasingDialect } from './releasing-dialect.ts'
import { type Rows, readThrough, type Scope, type Statement } from './scoped-read.ts'
import { type ReadFew, sharedReads } from './shared-reads.ts'
import type { Migrations } from './sql-migration.ts'
import { typeParsers } from './type-parsers.ts'

const logger = createLogger('database')

interface OpenDatabaseOptions {
  name: string
  /** As the app role: one tenant at a time. */
  url: string
  /** As the worker role: every tenant. */
  workerUrl: string
  /** What the code was written for; the database must have run all of it. */
  migrations: Migrations
  /** Connections per role. */
  poolSize?: number
  /** How long a statement waits for a connection of the pool, 5 s unless told otherwise. */
  connectTimeoutMs?: number
}

/** What defineEntity() returned; the same class may be mapped by both roles. */
type Entities = readonly EntitySchema<never>[] | readonly object[]

type Opening = OpenDatabaseOptions & { entities?: Entities | undefined }

export interface Database {
  readonly name: string
  /** Connections of the app role; bigint arrives as number, timestamptz as Date. */
  readonly app: pg.Pool
  /** Connections of the worker role. */
  readonly worker: pg.Pool
  /** Begins a transaction of the role, on a connection of its pool. */
  begin(role: 'app' | 'worker'): Promise<ControlledTransaction<unknown>>
  /** The rows of each statement, in one transaction that may only read, for one round trip. */
  read(scope: Scope, statements: readonly Statement[]): Promise<Rows[]>
  /** The same, of few rows that an index finds: what is asked in one turn of the event loop shares round trips. */
  readonly readFew: ReadFew
  close(): Promise<void>
  ping(): Promise<void>
}

/** A database whose rows are mapped to classes, over the same connections. */
export interface OrmDatabase extends Database {
  readonly orm: MikroORM
  readonly workerOrm: MikroORM
}

/**
 * Opens both roles of a service's database, and the ORM only where entities are given. Refuses a role that could bypass row security or has no statement
 * timeout, a server that acknowledges commits before they are durable, and a schema older than the code.
 */
export function openDatabase(options: OpenDatabaseOptions & { entities: Entities }): Promise<OrmDatabase>
export function openDatabase(options: Opening): Promise<Database | OrmDatabase>
export async function openDatabase(options: Opening): Promise<Database | OrmDatabase> {
  const [app, worker] = [openPool(options.url, options), openPool(options.workerUrl, options)]
  const ends = [observePool(options.name, 'app', app), observePool(options.name, 'worker', worker)]
  const close = async () => {
    for (const end of ends) end()
    await Promise.all([app.end(), worker.end()])
  }
  try {
    for (const pool of [app, worker]) await assertSafeSession(pool, options.name)
    await assertMigrated(app, options)
    const ping = async () => {
      await app.query('SELECT 1')
    }
    const read: Database['read'] = async (scope, statements) => {
      const [rows] = await readThrough(scope === 'every tenant' ? worker : app, [{ scope, statements }])
      return rows as Rows[]
    }
    const [fewOfTenant, fewOfAll] = [sharedReads(app), sharedReads(worker)]
    const readFew: ReadFew = (scope, statements) =>
      scope === 'every tenant' ? fewOfAll(scope, statements) : fewOfTenant(scope, statements)
    const opened = { name: options.name, app, worker, close, ping, read, readFew }
    const { entities } = options
    if (!entities) return { ...opened, begin: beginner({ app: openClient(app), worker: openClient(worker) }) }
    const [orm, workerOrm] = [await openOrm(app, entities), await openOrm(worker, entities)]
    return { ...opened, orm, workerOrm, begin: beginner({ app: clientOf(orm), worker: clientOf(workerOrm) }) }
  } catch (error) {
    await close()
    throw error
  }
}

function openPool(url: string, { name, poolSize = 10, connectTimeoutMs = 5_000 }: OpenDatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: poolSize,
    types: typeParsers(),
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  })
  // Without listeners a connection that the server drops would end the process; its statement rejects by itself.
  pool.on('error', (err) => logger.warn({ err, database: name }, 'an idle connection was lost'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const openClient = (pool: pg.Pool) => new Kysely<unknown>({ dialect: new ReleasingDialect({ pool }) })

const clientOf = (orm: MikroORM): Kysely<unknown> => orm.em.getConnection().getClient()

const beginner =
  (clients: Record<'app' | 'worker', Kysely<unknown>>): Database['begin'] =>
  (role) =>
    clients[role].startTransaction().execute()

async function openOrm(pool: pg.Pool, entities: Entities): Promise<MikroORM> {
  return MikroORM.init({
    dbName: pool.options.database ?? 'by-connection-string',
    entities: [...(entities as EntitySchema[])],
    ensureDatabase: false,
    driverOptions: new ReleasingDialect({ pool }),
  })
}

async function assertSafeSession(pool: pg.Pool, name: string): Promise<void> {
  const { rows } = await pool.query<{ role: string; durable: string; statement_timeout: string; almighty: boolean }>(`
    SELECT current_user AS role, current_setting('synchronous_commit') AS durable,
           current_setting('statement_timeout') AS statement_timeout, rolsuper OR rolbypassrls AS almighty
      FROM pg_roles WHERE rolname = current_user`)
  const session = rows[0]!
  if (session.almighty) throw new Error(`database ${name}: role ${session.role} could bypass row security`)
  if (session.statement_timeout === '0')
    throw new Error(`database ${name}: role ${session.role} has no statement_timeout`)
  // Anything weaker loses commits that were acknowledged.
  if (!['on', 'remote_apply'].includes(session.durable))
    throw new Error(`database ${name}: synchronous_commit is ${session.durable}, must be on`)
}

async function assertMigrated(pool: pg.Pool, { name, migrations }: OpenDatabaseOptions): Promise<void> {
  const missing = await neverRun(pool, migrations)
  if (missing.length > 0) throw new Error(`database ${name}: migrations are pending: ${missing.join(', ')}`)
}
