import type { Tx } from '@svc/transact'

interface CarriedTold {
  /** The id up to which orders were looked at; null where none was. */
  after: string | null
  /** Orders wait to be looked at: in the first walk, or in the second. */
  isDue: boolean
}

/** How long after the end of the first walk the second one begins: an upgrade is over by then. */
const SECOND_AFTER = "interval '1 hour'"

export async function lockCarriedTold(tx: Tx): Promise<CarriedTold> {
  const { rows } = await tx.sql<CarriedTold>(
    `SELECT after, done_at IS NULL AND (first_ended_at IS NULL OR first_ended_at <= app_now() - ${SECOND_AFTER}) AS "isDue"
       FROM carried_told FOR UPDATE`,
  )
  return rows[0]!
}

export async function keepCarriedTold(tx: Tx, after: string | null): Promise<void> {
  await tx.sql('UPDATE carried_told SET after = $1', [after])
}

/** All orders were looked at: once, or a second time. */
export async function endWalk(tx: Tx): Promise<void> {
  await tx.sql(
    `UPDATE carried_told SET after = NULL, first_ended_at = coalesce(first_ended_at, app_now()),
            done_at = CASE WHEN first_ended_at IS NOT NULL THEN app_now() END`,
  )
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
