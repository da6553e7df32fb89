import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'
import type { ShipmentStatus } from '../domain/shipment.ts'

type Sql = Pick<Tx, 'sql'>

/** Rows of which no shipment was made. */
export const expiries: readonly Expiry[] = [{ table: 'shipment_rows', age: 'created_at', keep: "interval '1 hour'" }]

/** Test orders and their shipments, which the sandbox sweeper deletes with all that hangs on them. */
export const sandboxExpiries = (days: number): Expiry[] =>
  ['orders', 'shipments'].map((table) => ({
    table,
    age: 'created_at',
    keep: `make_interval(days => ${days})`,
    where: 'is_test',
  }))

/** Test shipments past their time whose orders are gone; answers those that had not ended, of which something may be held. */
export async function deleteTestShipments(
  { sql }: Sql,
  olderThanDays: number,
  limit: number,
): Promise<{ count: number; unended: Array<{ id: string; merchantId: string; status: ShipmentStatus }> }> {
  const { rows } = await sql<{ id: string; merchantId: string; status: ShipmentStatus; holdAttempts: number }>(
    `DELETE FROM shipments WHERE id = ANY(ARRAY(
       SELECT s.id FROM shipments s WHERE s.is_test AND s.created_at < (SELECT app_now()) - make_interval(days => $1)
          AND NOT EXISTS (SELECT FROM orders o WHERE o.shipment_id = s.id)
        ORDER BY s.created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
     RETURNING id, merchant_id AS "merchantId", status, hold_attempts AS "holdAttempts"`,
    [olderThanDays, limit],
  )
  return {
    count: rows.length,
    // Of a draft the answer to a hold may have been lost.
    unended: rows.filter(
      ({ status, holdAttempts }) =>
        status === 'submitted' || status === 'dispatching' || (status === 'draft' && holdAttempts > 0),
    ),
  }
}
