import type { Database } from '@svc/database'

/** Rows that go in one statement. */
export const FORGET_BATCH = 5_000
/** An order or withdrawal may change long after its last event; forgetting its stream earlier would hold its next fact back for good. */
const STREAM_FACTOR = 12

const OLD = {
  delivery: `WITH removed AS (
     DELETE FROM delivery WHERE id IN (SELECT id FROM delivery
       WHERE created_at < app_now() - $1::float8 * interval '1 millisecond' AND status <> 'pending' LIMIT ${FORGET_BATCH})
     RETURNING id),
   forgotten AS (DELETE FROM attempt WHERE delivery_id IN (SELECT id FROM removed))
   SELECT id FROM removed`,
  event: `DELETE FROM event_log WHERE (merchant_id, cursor) IN (SELECT merchant_id, cursor FROM event_log
     WHERE occurred_at < app_now() - $1::float8 * interval '1 millisecond' LIMIT ${FORGET_BATCH})`,
  stream: `DELETE FROM order_stream WHERE order_id IN (SELECT order_id FROM order_stream
     WHERE updated_at < app_now() - ${STREAM_FACTOR} * $1::float8 * interval '1 millisecond' LIMIT ${FORGET_BATCH})`,
}

/** What goes after the retention time: deliveries with an end, events of the pull log, and streams where nothing happens. */
export const FORGOTTEN = Object.keys(OLD) as Array<keyof typeof OLD>

/** Removes at most a batch of these that are past the retention time; answers how many went. */
export async function forget(worker: Database['worker'], kind: keyof typeof OLD, retentionMs: number): Promise<number> {
  const { rowCount } = await worker.query(OLD[kind], [retentionMs])
  return rowCount ?? 0
}
