import type { Migrations } from '@svc/database'
import { testServers } from '@svc/servers'
import pg from 'pg'
import { testDatabase } from './database.ts'

/** What tells of no tenant and is read by every role: the clock of tests, and which schema there is. */
const OPEN = ['app_clock', 'schema_function', 'schema_migration']
const OURS = '00000000-0000-4000-8000-000000000001'
const THEIRS = '00000000-0000-4000-8000-000000000002'
/** How the policy of `tenantTableSql` reads in the catalogue. */
const RULE = /^\((\w+) = \(current_setting\('app\.tenant_id'::text\)\)::uuid\)$/
const REFUSED = /row-level security|permission denied|app\.tenant_id|invalid input syntax for type uuid/

interface Table {
  name: string
  isForced: boolean
  /** The rules by which the role that serves tenants sees rows; null where it has none. */
  rule: string | null
  /** What that role may do. */
  granted: string[]
}

/**
 * What the second tenant wall lets through, by table: nothing, where every table either has the policy of a tenant or is
 * out of reach of the role that serves tenants. Each table is tried out with a row of ours and one of theirs.
 */
export async function tenantWall(service: string, migrations: Migrations, extensions?: string[]): Promise<string[]> {
  const database = await testDatabase(service, migrations, extensions)
  const { databaseAdminUrl } = await testServers()
  const superUrl = new URL(databaseAdminUrl)
  superUrl.pathname = new URL(database.ownerUrl).pathname
  const [admin, fresh, app] = [superUrl.href, database.url, database.url].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client, pg.Client]
  try {
    for (const client of [admin, fresh, app]) await client.connect()
    // A connection that has served a tenant holds an empty setting, where a new one has none.
    await asOurs(app, () => app.query('SELECT 1'))
    const found: string[] = []
    for (const table of await tablesOf(admin, `${service}_app`)) {
      const breaches = await breachesOf({ admin, fresh, app }, table)
      found.push(...breaches.map((breach) => `${table.name} ${breach}`))
    }
    return found
  } finally {
    for (const client of [admin, fresh, app]) await client.end()
    await database.drop()
  }
}

async function tablesOf(admin: pg.Client, role: string): Promise<Table[]> {
  const { rows } = await admin.query<Table>(
    `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS "isForced",
            (SELECT string_agg(pg_get_expr(polqual, polrelid), ' OR ') FROM pg_policy WHERE polrelid = t.oid AND $1::regrole = ANY (polroles)) AS rule,
            ARRAY(SELECT granted FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE}'::text[]) AS granted
                   WHERE has_table_privilege($1, t.oid, granted)) AS granted
       FROM pg_class t
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = t.oid AND deptype = 'e')
      ORDER BY relname`,
    [role],
  )
  return rows
}

interface Clients {
  admin: pg.Client
  /** As the role that serves tenants: one that never did, and one that did. */
  fresh: pg.Client
  app: pg.Client
}

async function breachesOf({ admin, fresh, app }: Clients, { name, isForced, rule, granted }: Table): Promise<string[]> {
  if (OPEN.includes(name)) return granted.filter((act) => act !== 'SELECT').map((act) => `is open to ${act}`)
  if (!isForced) return ['has no forced row security']
  if (rule === null) return granted.map((act) => `has no tenant, and is open to ${act}`)
  const column = RULE.exec(rule)?.[1]
  if (column === undefined) return [`does not compare a column with the tenant: ${rule}`]

  const table = pg.escapeIdentifier(name)
  await strip(admin, name)
  await admin.query(`INSERT INTO ${table} (${column}) VALUES ($1), ($2)`, [OURS, THEIRS])
  const may = (act: string) => granted.includes(act)
  const passes = async (text: string, values: unknown[] = []) => (await counted(app, text, values)) > 0
  const found: string[] = []

  for (const client of may('SELECT') ? [fresh, app] : [])
    if ((await unlessRefused(() => client.query(`SELECT FROM ${table}`))) !== null)
      found.push('is read without a tenant')
  if (may('TRUNCATE')) found.push('is open to TRUNCATE')
  if (may('SELECT')) {
    const { rows } = await asOurs(app, () => app.query<{ id: string }>(`SELECT ${column} AS id FROM ${table}`))
    if (rows.length !== 1 || rows[0]?.id !== OURS) found.push('shows other rows than those of its tenant')
  }
  if (may('UPDATE')) {
    if (await passes(`UPDATE ${table} SET ${column} = ${column} WHERE ${column} = $1`, [THEIRS]))
      found.push('lets a tenant change rows of another')
    if (await passes(`UPDATE ${table} SET ${column} = $1`, [THEIRS])) found.push('lets a tenant give rows to another')
  }
  if (may('DELETE') && (await passes(`DELETE FROM ${table} WHERE ${column} = $1`, [THEIRS])))
    found.push('lets a tenant remove rows of another')
  if (may('INSERT')) {
    if (await passes(`INSERT INTO ${table} (${column}) VALUES ($1)`, [THEIRS]))
      found.push('lets a tenant add rows of another')
    // Else the refusals above would prove nothing.
    if (!(await passes(`INSERT INTO ${table} (${column}) VALUES ($1)`, [OURS]))) found.push('keeps out its own tenant')
  }
  return found
}

/** Takes away whatever else could refuse a row: what is left is the wall. */
async function strip(admin: pg.Client, name: string): Promise<void> {
  const table = pg.escapeIdentifier(name)
  const { rows: constraints } = await admin.query<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype <> 't'`,
    [table],
  )
  for (const { conname } of constraints)
    await admin.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${pg.escapeIdentifier(conname)} CASCADE`)
  const { rows: columns } = await admin.query<{ attname: string; isGenerated: boolean }>(
    `SELECT attname, attgenerated <> '' AS "isGenerated" FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''`,
    [table],
  )
  for (const { attname, isGenerated } of columns) {
    const column = `ALTER TABLE ${table} ALTER COLUMN ${pg.escapeIdentifier(attname)}`
    await admin.query(`${column} DROP NOT NULL`)
    if (isGenerated) await admin.query(`${column} DROP EXPRESSION`)
  }
  await admin.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`)
}

/** How many rows the statement of our tenant touches; none where the wall refuses it. Nothing of it stays. */
async function counted(app: pg.Client, text: string, values: unknown[]): Promise<number> {
  const done = await unlessRefused(() => asOurs(app, () => app.query(text, values)))
  return done?.rowCount ?? 0
}

async function asOurs<T>(app: pg.Client, work: () => Promise<T>): Promise<T> {
  await app.query('BEGIN')
  try {
    await app.query("SELECT set_config('app.tenant_id', $1, true)", [OURS])
    return await work()
  } finally {
    await app.query('ROLLBACK')
  }
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (REFUSED.test((error as Error).message)) return null
    throw error
  }
}
