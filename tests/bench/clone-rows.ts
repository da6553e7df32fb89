import type pg from 'pg'

export interface Cloning {
  table: string
  /** The row that is repeated; of several any. */
  like: string
  /** What differs, as SQL of `n`, the number of the row, and `t`, the row that is repeated. */
  differing: Record<string, string>
  /** The last number; the first is 1. */
  to: number
}

const CHUNK = 250_000

/** Repeats a row that the API itself made, so that rows are as wide as real ones, whatever columns the table has today. */
export async function cloneRows(owner: pg.Client, { table, like, differing, to }: Cloning): Promise<void> {
  const { rows } = await owner.query(
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' AND identity_generation IS DISTINCT FROM 'ALWAYS'
      ORDER BY ordinal_position`,
    [table],
  )
  const names = rows.map(({ name }) => name as string)
  const unknown = Object.keys(differing).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(', ')}`)
  const values = names.map((name) => differing[name] ?? `t.${name}`)
  await owner.query(`CREATE TEMP TABLE template AS SELECT * FROM ${table} WHERE ${like} LIMIT 1`)
  for (let start = 1; start <= to; start += CHUNK) {
    const { rowCount } = await owner.query(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
         FROM template t, generate_series($1::bigint, $2::bigint) AS n`,
      [start, Math.min(start + CHUNK - 1, to)],
    )
    if (rowCount === 0) throw new Error(`${table} has no row where ${like}`)
  }
  await owner.query('DROP TABLE template')
}

/**
 * Opens the tables to their owner, whom row security binds too, and takes off what each row would wait for: checks, keys,
 * indexes and autovacuum. Answers what puts all of it back and leaves the tables as autovacuum would. An index is made in a
 * fraction of the time that it takes to keep it while rows come in no order of its.
 */
export async function openTables(owner: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const constraints = await found(
    owner,
    `SELECT conrelid::regclass AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE contype IN ('p', 'u', 'f') AND $1 && ARRAY[conrelid::regclass::text, confrelid::regclass::text]
      ORDER BY contype = 'f', oid`,
    tables,
  )
  const indexes = await found(
    owner,
    `SELECT indrelid::regclass AS table, indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid::regclass::text = ANY ($1) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
      ORDER BY indexrelid`,
    tables,
  )
  // A foreign key is checked by a query over both of its tables.
  const { rows: walled } = await owner.query(
    `SELECT oid::regclass AS name FROM pg_class
      WHERE relforcerowsecurity AND (oid::regclass::text = ANY ($1) OR oid IN (
        SELECT unnest(ARRAY[conrelid, confrelid]) FROM pg_constraint
         WHERE contype = 'f' AND $1 && ARRAY[conrelid::regclass::text, confrelid::regclass::text]))`,
    [tables],
  )
  for (const { name } of walled) await owner.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`)
  for (const table of tables)
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER, SET (autovacuum_enabled = false)`)
  for (const { table, name } of constraints.toReversed())
    await owner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  // What looks for something to do goes on doing so, every second: it keeps the small index by which it looks.
  for (const { name, definition } of indexes) if (!/ WHERE /.test(definition)) await owner.query(`DROP INDEX ${name}`)
  return async () => {
    await owner.query(`SET maintenance_work_mem = '512MB'`)
    for (const { definition } of indexes)
      await owner.query(definition.replace(/^CREATE( UNIQUE)? INDEX /, 'CREATE$1 INDEX IF NOT EXISTS '))
    for (const { table, name, definition } of constraints)
      await owner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    for (const { name } of walled) await owner.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`)
    for (const table of tables)
      await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER, RESET (autovacuum_enabled)`)
    for (const table of tables) await owner.query(`VACUUM ANALYZE ${table}`)
  }
}

interface Definition {
  table: string
  name: string
  definition: string
}

const found = async (owner: pg.Client, text: string, tables: readonly string[]): Promise<Definition[]> =>
  (await owner.query(text, [tables])).rows
