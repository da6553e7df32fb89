import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'

/** Where a statement runs: in a transaction, or by itself as the worker role. */
export type Source = Pick<Tx, 'sql'> | Pick<Database, 'worker'>

/** The rows of a statement, their columns named as properties: `rider_id` is `riderId`. */
export async function rowsOf<Row extends object>(
  source: Source,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await run(source, text, values)
  return named<Row>(rows)
}

/** Rows as they came, their columns named as properties. */
export function named<Named extends object>(rows: readonly Row[]): Named[] {
  const [first] = rows
  if (!first) return []
  const names = Object.keys(first).map((column) => [column, propertyOf(column)] as const)
  return rows.map((row) => Object.fromEntries(names.map(([column, property]) => [property, row[column]])) as Named)
}

/** The first row of a statement, or null. */
export async function rowOf<Row extends object>(
  source: Source,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | null> {
  return (await rowsOf<Row>(source, text, values))[0] ?? null
}

/** Runs a statement for its effect; answers how many rows it wrote, or read where it writes none. */
export async function write(source: Source, text: string, values: readonly unknown[] = []): Promise<number> {
  return (await run(source, text, values)).rowCount ?? 0
}

/** The column that a property is kept in. */
export const columnOf = (property: string): string =>
  property.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

const propertyOf = (column: string): string => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

export type Row = Record<string, unknown>

const run = (
  source: Source,
  text: string,
  values: readonly unknown[],
): Promise<{ rows: Row[]; rowCount: number | null }> =>
  'sql' in source ? source.sql<Row>(text, values) : source.worker.query<Row>(text, [...values])
