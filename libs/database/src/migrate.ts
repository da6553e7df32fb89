import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import type { MigrationObject } from './sql-migration.ts'

interface MigrateOptions {
  /** The service, whose roles may read which migrations have run. */
  name: string
  ownerUrl: string
  migrations: readonly MigrationObject[]
}

export const MIGRATION_TABLE = 'schema_migration'
const MIGRATE_LOCK = 7_263_002

/** Runs the pending migrations in order, each in its own transaction, once even when many processes start at once. */
export async function migrate({ name, ownerUrl, migrations }: MigrateOptions): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl })
  await lock.connect()
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK])
    const applied = await runPending(ownerUrl, migrations)
    const readers = ['app', 'worker', 'inspect'].map((role) => pg.escapeIdentifier(`${name}_${role}`)).join(', ')
    await lock.query(`GRANT SELECT ON ${MIGRATION_TABLE} TO ${readers}`)
    return applied
  } finally {
    await lock.end()
  }
}

async function runPending(ownerUrl: string, migrations: readonly MigrationObject[]): Promise<string[]> {
  const orm = await MikroORM.init({
    clientUrl: ownerUrl,
    // Of that URL the ORM takes host, user and database, and leaves out TLS.
    driverOptions: { connectionString: ownerUrl },
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
    const applied = await orm.migrator.up()
    return applied.map((migration) => migration.name)
  } finally {
    await orm.close(true)
  }
}
