import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import type { Tx } from '@svc/transact'
import { Order } from '../domain/order.ts'
import type { Shipment } from '../domain/shipment.ts'
import { SHIPMENT_ROW } from './shipments.ts'

type Sql = Pick<Tx, 'sql'>

const TO_BEGIN = 'submitted_at IS NOT NULL AND begun_at IS NULL'

/**
 * Merchants take turns, in each environment by itself, and so do the shipments of one. Each merchant that has any to begin is
 * found by one probe of the index, however many it has; which had its turn last is told by the shipment that did.
 */
const CLAIM = `
  WITH RECURSIVE waiting AS (
    (SELECT merchant_id, is_test FROM shipments WHERE ${TO_BEGIN} ORDER BY merchant_id, is_test LIMIT 1)
    UNION ALL
    SELECT later.* FROM waiting w CROSS JOIN LATERAL (
      SELECT merchant_id, is_test FROM shipments
       WHERE ${TO_BEGIN} AND (merchant_id, is_test) > (w.merchant_id, w.is_test)
       ORDER BY merchant_id, is_test LIMIT 1) later),
  turns AS MATERIALIZED (
    SELECT w.*, (SELECT t.turn_at FROM shipments t
                  WHERE t.merchant_id = w.merchant_id AND t.is_test = w.is_test AND t.turn_at IS NOT NULL
                  ORDER BY t.turn_at DESC LIMIT 1) AS last_turn_at
      FROM waiting w ORDER BY last_turn_at NULLS FIRST, merchant_id, is_test)
  UPDATE shipments s SET turn_at = $1 WHERE id = (
    SELECT due.id FROM turns m CROSS JOIN LATERAL (
      SELECT id FROM shipments
       WHERE merchant_id = m.merchant_id AND is_test = m.is_test AND ${TO_BEGIN} AND (begin_after IS NULL OR begin_after <= $1)
       ORDER BY turn_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED) due
     LIMIT 1)
  RETURNING ${SHIPMENT_ROW}`

/** The shipment whose turn it is to have orders begun, locked; null where none has any left, or others are at it. */
export async function claimToBegin({ sql, now }: Pick<Tx, 'sql' | 'now'>): Promise<Shipment | null> {
  const { rows } = await sql<Shipment>(CLAIM, [now])
  return rows[0] ?? null
}

/** Of a shipment whose orders could not be begun none are for a while, the longer the more often: others go first. */
export async function deferBegin({ sql, now }: Pick<Tx, 'sql' | 'now'>, id: string): Promise<void> {
  await sql(
    `UPDATE shipments SET turn_at = $2, begin_failures = begin_failures + 1,
            begin_after = $2::timestamptz + make_interval(secs => least(2 ^ least(begin_failures, 10), 300))
      WHERE id = $1 AND ${TO_BEGIN}`,
    [id, now],
  )
}

/** For how long a shipment with orders to begin has had none begun, at most, in seconds. */
export async function longestWait({ sql }: Sql): Promise<number> {
  const { rows } = await sql<{ seconds: number }>(
    `SELECT coalesce(extract(epoch FROM app_now() - min(coalesce(turn_at, submitted_at))), 0)::float8 AS seconds
       FROM shipments WHERE ${TO_BEGIN}`,
    [],
  )
  return rows[0]?.seconds ?? 0
}

/** The next drafts of a shipment, locked: those that were never announced, whatever their merchant calls the others since. */
export const nextDrafts = (em: EntityManager, shipmentId: string, limit: number): Promise<Order[]> =>
  em.find(
    Order,
    { shipmentId, status: 'draft', version: 0 },
    { orderBy: { shipmentRow: 'asc' }, limit, lockMode: LockMode.PESSIMISTIC_WRITE },
  )

/** All of its orders have been begun. */
export async function markBegun({ sql, now }: Pick<Tx, 'sql' | 'now'>, id: string): Promise<void> {
  await sql('UPDATE shipments SET begun_at = $2 WHERE id = $1 AND begun_at IS NULL', [id, now])
}
