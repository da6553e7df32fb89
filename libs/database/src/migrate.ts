import { setTimeout } from 'node:timers/promises'
import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import { applyFunctions, FUNCTION_TABLE } from './apply-functions.ts'
import { isFunction, type MigrationObject, type Migrations } from './sql-migration.ts'
import { OWNER_LOCK_TIMEOUT, whenFree } from './when-free.ts'

interface MigrateOptions {
  /** The service, whose roles may read which migrations have run. */
  name: string
  ownerUrl: string
  migrations: Migrations
}

export const MIGRATION_TABLE = 'schema_migration'
const MIGRATE_LOCK = 7_263_002
const TURN_POLL_MS = 100
/** Of these sessions themselves: the role may have been provisioned by a release that let it wait for longer. */
const SHORT_WAITS = `-c lock_timeout=${OWNER_LOCK_TIMEOUT}`

/**
 * Runs the pending migrations in order, each in its own transaction unless it makes indexes, then applies the functions that have changed; once
 * even when many processes start at once. Answers the names of both.
 */
export async function migrate({ name, ownerUrl, migrations }: MigrateOptions): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl, options: SHORT_WAITS })
  await lock.connect()
  try {
    await takeTurn(lock)
    const functions = migrations.filter(isFunction)
    const numbered = migrations.filter((one): one is MigrationObject => !isFunction(one))
    await refuseOtherHistory(lock, name, numbered)
    const applied = [...(await runPending(ownerUrl, numbered)), ...(await applyFunctions(lock, functions))]
    const readers = ['app', 'worker', 'inspect'].map((role) => pg.escapeIdentifier(`${name}_${role}`)).join(', ')
    const tables = functions.length > 0 ? `${MIGRATION_TABLE}, ${FUNCTION_TABLE}` : MIGRATION_TABLE
    await lock.query(`GRANT SELECT ON ${tables} TO ${readers}`)
    return applied
  } finally {
    await lock.end()
  }
}

/** Asks instead of waiting in the database: a statement that waits has a snapshot, and an index made meanwhile waits for those. */
async function takeTurn(lock: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await lock.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [MIGRATE_LOCK])
    if (rows[0]?.mine) return
    await setTimeout(TURN_POLL_MS)
  }
}

/** A database with a history that begins otherwise would fail at the first table, with an error that explains nothing. */
async function refuseOtherHistory(owner: pg.Client, name: string, [first]: readonly MigrationObject[]): Promise<void> {
  const { rows: tables } = await owner.query(`SELECT FROM pg_class WHERE oid = to_regclass('${MIGRATION_TABLE}')`)
  if (!first || tables.length === 0) return
  const { rows } = await owner.query<{ name: string }>(`SELECT name FROM ${MIGRATION_TABLE} ORDER BY id LIMIT 1`)
  const begun = rows[0]?.name
  if (begun === undefined || begun === first.name) return
  throw new Error(
    `The database of ${name} began with ${begun}, this code begins with ${first.name}: drop the database and migrate anew (a local one: delete .local)`,
  )
}

async function runPending(ownerUrl: string, migrations: readonly MigrationObject[]): Promise<string[]> {
  const orm = await MikroORM.init({
    clientUrl: ownerUrl,
    // Of that URL the ORM takes host, user and database, and leaves out TLS.
    driverOptions: { connectionString: ownerUrl, options: SHORT_WAITS },
    entities: [],
    discovery: { warnWhenNoEntities: false },
    ensureDatabase: false,
    extensions: [Migrator],
    pool: { min: 0, max: 2 },
    migrations: {
      tableName: MIGRATION_TABLE,
      migrationsList: [...migrations],
      snapshot: false,
      // Would need a superuser: it switches triggers off for the session.
      disableForeignKeys: false,
      allOrNothing: false,
      silent: true,
    },
  })
  try {
    const pending = await orm.migrator.getPending()
    // Those that have run stay, each by its own transaction: again means from the one that was held up.
    await whenFree(() => orm.migrator.up())
    return pending.map(({ name }) => name)
  } finally {
    await orm.close(true)
  }
}
