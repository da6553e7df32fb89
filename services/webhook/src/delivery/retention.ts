import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'

const EVERY_MS = 3_600_000
const BATCH = 5_000
/** An order may change long after its last event; forgetting its stream earlier would hold its next fact back for ever. */
const STREAM_FACTOR = 12

const logger = createLogger('webhook.retention')

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
export function retention({ database, retentionMs }: { database: Database; retentionMs: number }): Part {
  let timer: NodeJS.Timeout | undefined
  let running = false

  async function sweep(): Promise<void> {
    for (const statement of SWEEPS) {
      let removed = BATCH
      while (running && removed === BATCH) {
        const { rowCount } = await database.worker.query(statement, [retentionMs])
        removed = rowCount ?? 0
      }
    }
  }

  const run = () => {
    sweep().catch((err) => logger.warn({ err }, 'sweeping failed; the next round tries again'))
  }

  return {
    name: 'retention',
    async start() {
      running = true
      timer = setInterval(run, EVERY_MS)
      run()
    },
    async stop() {
      running = false
      clearInterval(timer)
    },
  }
}
