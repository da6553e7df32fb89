import { metrics } from '@svc/telemetry'
import type pg from 'pg'

type Labels = Record<string, string>

/** Counting stops here: an alert needs no more. */
const COUNT_CAP = 100_000

/** Shows at each scrape how far the relay is behind. Returns what ends it. */
export function observeOutbox(worker: pg.Pool, { source, topic }: { source: string; topic: string }): () => void {
  const number =
    (text: string, labels: Labels = { source }) =>
    async () => {
      const { rows } = await worker.query<{ value: number }>(text)
      return [{ value: Number(rows[0]?.value ?? 0), labels }]
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
    metrics.gauge(
      'outbox_parked',
      'Facts that Kafka refused for good and that wait for an operator',
      number('SELECT count(*) AS value FROM outbox WHERE parked_at IS NOT NULL', { source, topic }),
    ),
  ]
  return () => {
    for (const end of endings) end()
  }
}
