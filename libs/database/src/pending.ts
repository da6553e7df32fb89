import type pg from 'pg'
import { FUNCTION_TABLE, hashOf } from './apply-functions.ts'
import { MIGRATION_TABLE } from './migrate.ts'
import { isFunction, type Migrations } from './sql-migration.ts'

type Client = Pick<pg.Client, 'query'>

/** What a run of the migrations would do now, by name. */
export const pending = (client: Client, migrations: Migrations): Promise<string[]> =>
  lacking(
    client,
    migrations,
    `SELECT DISTINCT ON (name) name, hash FROM ${FUNCTION_TABLE} ORDER BY name, applied_at DESC`,
  )

/**
 * What the database never ran. A function whose text is newer than the code's is none of it: processes of the release
 * before may start while the next one is rolled out.
 */
export const neverRun = (client: Client, migrations: Migrations): Promise<string[]> =>
  lacking(client, migrations, `SELECT name, hash FROM ${FUNCTION_TABLE}`)

async function lacking(client: Client, migrations: Migrations, functions: string): Promise<string[]> {
  const run = await recorded<{ name: string }>(client, MIGRATION_TABLE, `SELECT name FROM ${MIGRATION_TABLE}`)
  const applied = await recorded<{ name: string; hash: string }>(client, FUNCTION_TABLE, functions)
  const done = new Set([...run.map(({ name }) => name), ...applied.map(({ name, hash }) => `${name} ${hash}`)])
  return migrations
    .filter((one) => !done.has(isFunction(one) ? `${one.name} ${hashOf(one)}` : one.name))
    .map(({ name }) => name)
}

async function recorded<Row extends object>(client: Client, table: string, sql: string): Promise<Row[]> {
  const known = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [table])
  return known.rows[0]!.known ? (await client.query<Row>(sql)).rows : []
}
