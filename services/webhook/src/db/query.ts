import type { Tx } from '@svc/transact'

/** Runs SQL in the transaction and returns its rows. */
export async function query<Row extends object>(
  tx: Pick<Tx, 'sql'>,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await tx.sql<Row>(sql, parameters)
  return rows
}
