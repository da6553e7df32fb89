import type { FactMessage } from '@svc/kafka'
import type pg from 'pg'
import { epochList } from './shard-leases.ts'

const PASS_LIMIT = 2_000
/** A read ends with the fact that reaches this, so that memory does not grow with the size of facts. */
const PASS_BYTES = 8 * 1024 * 1024

export interface OutboxRow {
  event_id: string
  shard: number
  aggregate_type: string
  aggregate_id: string
  aggregate_version: number
  merchant_id: string | null
  is_test: boolean
  type: string
  payload: Buffer
  headers: Record<string, string>
  created_at: Date
}

export interface PendingFacts {
  rows: OutboxRow[]
  /** False when there may be more at once. */
  isLast: boolean
}

/**
 * The oldest unpublished facts of the shards but those under way; those of one aggregate in the order of their commits.
 * It begins at the oldest each time: what commits late has a lower number than what was read before it.
 */
export async function readPending(
  worker: pg.Pool,
  shards: readonly number[],
  underWay: readonly OutboxRow[] = [],
): Promise<PendingFacts> {
  // The length of a payload is known without reading it.
  const { rows } = await worker.query<OutboxRow>({
    name: 'outbox-pending',
    text: `SELECT event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload,
                  headers, created_at
             FROM (SELECT *, sum(length(payload)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - length(payload) AS before
                     FROM outbox_pending($1, $2, ${PASS_LIMIT})) AS measured
            WHERE before < ${PASS_BYTES} ORDER BY seq`,
    values: [shards, underWay.map(({ event_id }) => event_id)],
  })
  const bytes = rows.reduce((sum, { payload }) => sum + payload.length, 0)
  return { rows, isLast: rows.length < PASS_LIMIT && bytes < PASS_BYTES }
}

/** Records that Kafka has the facts. Rows whose shard was taken over meanwhile stay as they are; returns how many did not. */
export async function markPublished(
  worker: pg.Pool,
  holder: string,
  epochs: ReadonlyMap<number, number>,
  eventIds: readonly string[],
): Promise<number> {
  return markFenced(worker, 'published_at', holder, epochs, eventIds)
}

/** Sets facts aside that Kafka refuses for good, under the same fence. */
export async function markParked(
  worker: pg.Pool,
  holder: string,
  epochs: ReadonlyMap<number, number>,
  eventIds: readonly string[],
): Promise<number> {
  return markFenced(worker, 'parked_at', holder, epochs, eventIds)
}

async function markFenced(
  worker: pg.Pool,
  column: 'published_at' | 'parked_at',
  holder: string,
  epochs: ReadonlyMap<number, number>,
  eventIds: readonly string[],
): Promise<number> {
  const { rowCount } = await worker.query({
    name: `outbox-${column}`,
    text: `UPDATE outbox SET ${column} = (SELECT app_now())
             FROM shard_lease
            WHERE event_id = ANY($1) AND published_at IS NULL
              AND name = 'outbox-' || shard AND holder = $2 AND epoch = ($3::bigint[])[shard + 1]`,
    values: [eventIds, holder, epochList(epochs)],
  })
  return rowCount ?? 0
}

/** A CloudEvent 1.0 in Kafka's binary mode. */
export function toMessage(row: OutboxRow, topic: string, source: string, epoch: number): FactMessage {
  return {
    topic,
    key: row.aggregate_id,
    payload: row.payload,
    headers: {
      ...row.headers,
      ce_specversion: '1.0',
      ce_id: row.event_id,
      ce_type: row.type,
      ce_source: source,
      ce_time: row.created_at.toISOString(),
      ce_subject: `${row.aggregate_type}/${row.aggregate_id}`,
      ce_aggregateversion: String(row.aggregate_version),
      ...(row.merchant_id === null ? {} : { ce_merchantid: row.merchant_id }),
      ce_istest: String(row.is_test),
      'content-type': 'application/protobuf',
      epoch: String(epoch),
    },
  }
}
