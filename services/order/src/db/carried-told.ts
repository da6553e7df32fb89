import type { Tx } from '@svc/transact'

interface CarriedTold {
  /** The id up to which orders were looked at; null where none was. */
  after: string | null
  isDone: boolean
}

export async function lockCarriedTold(tx: Tx): Promise<CarriedTold> {
  const { rows } = await tx.sql<CarriedTold>(
    'SELECT after, done_at IS NOT NULL AS "isDone" FROM carried_told FOR UPDATE',
  )
  return rows[0]!
}

export async function keepCarriedTold(tx: Tx, after: string | null, isDone: boolean): Promise<void> {
  await tx.sql('UPDATE carried_told SET after = coalesce($1::uuid, after), done_at = CASE WHEN $2 THEN app_now() END', [
    after,
    isDone,
  ])
}

interface PageOfIds {
  read: number
  last: string | null
  carried: Array<{ id: string; merchantId: string }>
}

/** The live orders that a rider carries among the next so many of all, locked: a page costs the same wherever they lie. */
export async function lockCarriedOrders(tx: Tx, after: string | null, limit: number): Promise<PageOfIds> {
  const { rows } = await tx.sql<{ id: string }>(
    'SELECT id FROM orders WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
    [after, limit],
  )
  const ids = rows.map(({ id }) => id)
  const { rows: carried } = await tx.sql<{ id: string; merchantId: string }>(
    `SELECT id, merchant_id AS "merchantId" FROM orders
      WHERE id = ANY ($1::uuid[]) AND NOT is_test AND rider_id IS NOT NULL AND terminal_at IS NULL ORDER BY id FOR UPDATE`,
    [ids],
  )
  return { read: ids.length, last: ids.at(-1) ?? null, carried }
}
