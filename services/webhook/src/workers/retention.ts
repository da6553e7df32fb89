import type { Database } from '@svc/database'
import { type Part, repeatedly } from '@svc/lifecycle'

const EVERY_MS = 3_600_000
const BATCH = 5_000
/** An order or withdrawal may change long after its last event; forgetting its stream earlier would hold its next fact back for ever. */
const STREAM_FACTOR = 12

const SWEEPS = [
  `WITH removed AS (
     DELETE FROM delivery WHERE id IN (SELECT id FROM delivery
       WHERE created_at < app_now() - $1::float8 * interval '1 millisecond' AND status <> 'pending' LIMIT ${BATCH})
     RETURNING id),
   forgotten AS (DELETE FROM attempt WHERE delivery_id IN (SELECT id FROM removed))
   SELECT id FROM removed`,
  `DELETE FROM event_log WHERE (merchant_id, cursor) IN (SELECT merchant_id, cursor FROM event_log
     WHERE occurred_at < app_now() - $1::float8 * interval '1 millisecond' LIMIT ${BATCH})`,
  `DELETE FROM order_stream WHERE order_id IN (SELECT order_id FROM order_stream
     WHERE updated_at < app_now() - ${STREAM_FACTOR} * $1::float8 * interval '1 millisecond' LIMIT ${BATCH})`,
]

/** Removes the pull log and settled deliveries after the retention time, in small bites. */
export const retention = ({ database, retentionMs }: { database: Database; retentionMs: number }): Part =>
  repeatedly({
    name: 'retention',
    everyMs: EVERY_MS,
    async work(signal) {
      for (const statement of SWEEPS) {
        let removed = BATCH
        while (!signal.aborted && removed === BATCH) {
          const { rowCount } = await database.worker.query(statement, [retentionMs])
          removed = rowCount ?? 0
        }
      }
    },
  })
