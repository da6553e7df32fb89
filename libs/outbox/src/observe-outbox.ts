import { metrics } from '@svc/telemetry'
import type pg from 'pg'

/** Counting stops here: an alert needs no more. */
const COUNT_CAP = 100_000

/** Shows at each scrape how far the relay is behind. Returns what ends it. */
export function observeOutbox(worker: pg.Pool, source: string): () => void {
  const number = (text: string) => async () => {
    const { rows } = await worker.query<{ value: number }>(text)
    return [{ value: Number(rows[0]?.value ?? 0), labels: { source } }]
  }
  const endings = [
    metrics.gauge(
      'outbox_lag_seconds',
      'Age of the oldest fact that is not published',
      number(`SELECT extract(epoch FROM app_now() - created_at)::float8 AS value FROM outbox
               WHERE published_at IS NULL AND parked_at IS NULL ORDER BY seq LIMIT 1`),
    ),
    metrics.gauge(
      'outbox_unpublished',
      'Facts that are not published',
      number(`SELECT count(*) AS value FROM (
                SELECT 1 FROM outbox WHERE published_at IS NULL AND parked_at IS NULL LIMIT ${COUNT_CAP}) AS pending`),
    ),
  ]
  return () => {
    for (const end of endings) end()
  }
}
