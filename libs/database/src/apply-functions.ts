import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SqlFunction } from './sql-migration.ts'

/** Every text that a function ever had, and when it was applied last. */
export const FUNCTION_TABLE = 'schema_function'

export const hashOf = ({ sql }: SqlFunction): string => createHash('sha256').update(sql).digest('hex')

/**
 * Applies the functions whose text is not the one applied last, all of them or none; answers their names. Refuses a text
 * that leaves other than one function of its name: a migration drops the one whose parameters were others.
 */
export async function applyFunctions(owner: pg.Client, functions: readonly SqlFunction[]): Promise<string[]> {
  if (functions.length === 0) return []
  await owner.query('BEGIN')
  try {
    await owner.query(`
      CREATE TABLE IF NOT EXISTS ${FUNCTION_TABLE} (
        name text, hash text, applied_at timestamptz NOT NULL, PRIMARY KEY (name, hash))`)
    const { rows } = await owner.query<{ name: string; hash: string }>(
      `SELECT DISTINCT ON (name) name, hash FROM ${FUNCTION_TABLE} ORDER BY name, applied_at DESC`,
    )
    const present = new Map(rows.map(({ name, hash }) => [name, hash]))
    const changed = functions.filter((one) => present.get(one.name) !== hashOf(one))
    for (const one of changed) await apply(owner, one)
    await owner.query('COMMIT')
    return changed.map(({ name }) => name)
  } catch (error) {
    await owner.query('ROLLBACK')
    throw error
  }
}

async function apply(owner: pg.Client, one: SqlFunction): Promise<void> {
  await owner.query(one.sql)
  const { rows } = await owner.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
      WHERE proname = $1 AND pronamespace = current_schema()::regnamespace ORDER BY oid::regprocedure::text COLLATE "C"`,
    [one.name],
  )
  if (rows.length !== 1) {
    const found = rows.map(({ signature }) => signature).join('; ') || 'none'
    throw new Error(`there must be one function ${one.name}, but the database has: ${found}`)
  }
  await owner.query(
    `INSERT INTO ${FUNCTION_TABLE} VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (name, hash) DO UPDATE SET applied_at = excluded.applied_at`,
    [one.name, hashOf(one)],
  )
}
