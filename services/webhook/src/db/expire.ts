import type { Database } from '@svc/database'

/** Rows that end in one statement. */
export const EXPIRY_BATCH = 1_000

/** What a delivery that was never answered in time says of itself. */
const EXPIRED = 'expired'

/** Its locks are taken in the order of all others; an attempt that is under way decides by itself. */
const EXPIRE = `
WITH old AS (
  SELECT id FROM delivery d
   WHERE status = 'pending' AND created_at < app_now() - $1::float8 * interval '1 millisecond'
     AND (requeued_at IS NULL OR requeued_at < app_now() - $1::float8 * interval '1 millisecond')
     AND NOT EXISTS (SELECT FROM queued_delivery q WHERE q.delivery_id = d.id AND q.lease_until > app_now())
   ORDER BY id LIMIT ${EXPIRY_BATCH} FOR UPDATE SKIP LOCKED),
expired AS (
  UPDATE delivery d SET status = 'dead', next_attempt_at = NULL, last_error = '${EXPIRED}',
         expired_at = app_now()
    FROM old WHERE d.id = old.id RETURNING d.id)
DELETE FROM queued_delivery WHERE delivery_id IN (SELECT id FROM expired)`

/** Ends a batch of deliveries that have waited for longer than their events are in the log; answers how many. */
export async function expireDeliveries({ worker }: Database, retentionMs: number): Promise<number> {
  const { rowCount } = await worker.query(EXPIRE, [retentionMs])
  return rowCount ?? 0
}
