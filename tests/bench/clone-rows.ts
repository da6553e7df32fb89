import type pg from 'pg'

export interface Cloning {
  table: string
  /** The row that is repeated; of several any. */
  like: string
  /** What differs, as SQL of `n`, the number of the row, and `t`, the row that is repeated. */
  differing: Record<string, string>
  /** The first number and the last. */
  from: number
  to: number
}

const CHUNK = 250_000

/** Repeats a row that the API itself made, so that rows are as wide as real ones, whatever columns the table has today. */
export async function cloneRows(owner: pg.Client, { table, like, differing, from, to }: Cloning): Promise<void> {
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
  for (let start = from; start <= to; start += CHUNK) {
    const { rowCount } = await owner.query(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
         FROM template t, generate_series($1::bigint, $2::bigint) AS n`,
      [start, Math.min(start + CHUNK - 1, to)],
    )
    if (rowCount === 0) throw new Error(`${table} has no row where ${like}`)
  }
  await owner.query('DROP TABLE template')
}

/** Opens the tables to their owner, whom row security binds too, and takes the checks off that each row would wait for. */
export async function openTables(owner: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await owner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE ${table} DISABLE TRIGGER USER`)
}

/** Undoes `openTables`, and leaves the tables as autovacuum would. */
export async function closeTables(owner: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await owner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY; ALTER TABLE ${table} ENABLE TRIGGER USER`)
  for (const table of tables) await owner.query(`VACUUM ANALYZE ${table}`)
}
