import type { Tx } from '@svc/transact'
import { query } from './query.ts'

/**
 * Brings nearer what waits for a time in the merchant's sandbox: retries, what is kept back, the breaker, and the end of a
 * secret that was replaced. An attempt that runs is left to its end, and so is a row that another transaction works on:
 * neither is waited for. Locks are taken as everywhere: delivery, queued_delivery, lane.
 */
export async function advanceDeliveries(tx: Tx, merchantId: string, seconds: number): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - $2::int * interval '1 second'`
  const moved = [merchantId, seconds]
  await query(
    tx,
    `WITH waiting AS (
       SELECT d.id FROM queued_delivery q JOIN delivery d ON d.id = q.delivery_id
        WHERE q.merchant_id = $1 AND q.is_test AND q.lease IS NULL ORDER BY d.id FOR UPDATE OF d, q SKIP LOCKED),
     claimable AS (
       UPDATE queued_delivery q SET claimable_at = q.claimable_at - $2::int * interval '1 second'
         FROM waiting WHERE q.delivery_id = waiting.id)
     UPDATE delivery d SET next_attempt_at = d.next_attempt_at - $2::int * interval '1 second'
       FROM waiting WHERE d.id = waiting.id AND d.status = 'pending'`,
    moved,
  )
  await query(
    tx,
    `UPDATE lane SET ${earlier('open_until')}, due_at = least(due_at, app_now()) WHERE merchant_id = $1 AND is_test`,
    moved,
  )
  await query(tx, `UPDATE endpoint SET ${earlier('test_previous_secret_expires_at')} WHERE merchant_id = $1`, moved)
}
