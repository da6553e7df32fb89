import type { Database } from '@svc/database'

/** Rows that end in one statement. */
export const EXPIRY_BATCH = 1_000

/** What a delivery that was never answered in time says of itself. */
export const EXPIRED = 'expired'

/** The clock is read once: a function that may change within a statement is no condition of an index. */
const END = "(SELECT app_now() - $1::float8 * interval '1 millisecond')"

/**
 * In the order of the index of their age, so that a batch reads what it ends. One that another transaction holds is left for
 * the next batch, and an attempt that is under way decides by itself. A claim locks the place in the queue alone: what it has
 * leased meanwhile is seen once that is to be deleted, and only what has no place there any more ends. Locks are taken as
 * everywhere: delivery, queued_delivery.
 */
const EXPIRE = `
WITH old AS (
  SELECT id FROM delivery d
   WHERE status = 'pending' AND created_at < ${END} AND (requeued_at IS NULL OR requeued_at < ${END})
     AND NOT EXISTS (SELECT FROM queued_delivery q WHERE q.delivery_id = d.id AND q.lease_until > app_now())
   ORDER BY created_at LIMIT ${EXPIRY_BATCH} FOR UPDATE SKIP LOCKED),
dequeued AS (
  DELETE FROM queued_delivery q USING old
   WHERE q.delivery_id = old.id AND (q.lease_until IS NULL OR q.lease_until <= app_now()) RETURNING q.delivery_id),
expired AS (
  UPDATE delivery d SET status = 'dead', next_attempt_at = NULL, last_error = '${EXPIRED}',
         expired_at = app_now()
    FROM old
   WHERE d.id = old.id AND (d.id IN (SELECT delivery_id FROM dequeued)
                            OR NOT EXISTS (SELECT FROM queued_delivery q WHERE q.delivery_id = d.id))
  RETURNING d.id)
SELECT count(*)::int AS ended FROM expired`

/** Ends a batch of deliveries that have waited for longer than their events are in the log; answers how many. */
export async function expireDeliveries({ worker }: Database, retentionMs: number): Promise<number> {
  const { rows } = await worker.query<{ ended: number }>(EXPIRE, [retentionMs])
  return rows[0]!.ended
}

/** Nobody is waited for, so its locks need no order: the index of what has ended gives that of their age. */
const DATE_EXPIRED = `
WITH undated AS (
  SELECT id FROM delivery
   WHERE status <> 'pending' AND expired_at IS NULL AND last_error = '${EXPIRED}'
     AND created_at < ${END}
   ORDER BY created_at LIMIT ${EXPIRY_BATCH} FOR UPDATE SKIP LOCKED)
UPDATE delivery d SET expired_at = app_now() FROM undated WHERE d.id = undated.id`

/** Dates a batch of deliveries whose end an earlier release did not date: they are kept from now on; answers how many. */
export async function dateExpired({ worker }: Database, retentionMs: number): Promise<number> {
  const { rowCount } = await worker.query(DATE_EXPIRED, [retentionMs])
  return rowCount ?? 0
}
