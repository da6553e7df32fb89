import type { Tenant } from '@svc/database'
import type { Tx } from '@svc/transact'
import type { StreamPosition } from '../domain/fact-stream.ts'
import { query } from './query.ts'

export interface LoggedEvent {
  merchantId: string
  isTest: boolean
  /** What it is about. */
  subjectId: string
  isOfOrder: boolean
  sequence: number
  eventId: string
  event: string
  /** JSON text of the webhook body without delivery_id. */
  envelope: string
  traceparent: string | null
  occurredAt: Date
  /** False for an event that only counts in the log. */
  deliver: boolean
}

/** Where a stream has come to. */
export interface MovedStream extends StreamPosition {
  subjectId: string
}

/**
 * Stores how far the streams have come, logs the events under cursors that no reader can have passed before they are
 * visible, and makes one delivery, due at once, of each event that its merchant's enabled endpoint wants.
 */
export async function appendToLog(
  tx: Tx,
  streams: readonly MovedStream[],
  events: readonly LoggedEvent[],
): Promise<void> {
  await query(tx, 'SELECT append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)', [
    streams.map(({ subjectId }) => subjectId),
    streams.map(({ lastVersion }) => lastVersion),
    streams.map(({ lastSequence }) => lastSequence),
    events.map(({ subjectId, isOfOrder }) => (isOfOrder ? subjectId : null)),
    events.map(({ subjectId, isOfOrder }) => (isOfOrder ? null : subjectId)),
    events.map(({ sequence }) => sequence),
    events.map(({ merchantId }) => merchantId),
    events.map(({ isTest }) => isTest),
    events.map(({ eventId }) => eventId),
    events.map(({ event }) => event),
    events.map(({ envelope }) => envelope),
    events.map(({ traceparent }) => traceparent),
    events.map(({ occurredAt }) => occurredAt),
    events.map(({ deliver }) => deliver),
  ])
}

export interface EventPage {
  /** Where an earlier page ended. */
  after?: number | undefined
  orderId?: string | undefined
  limit: number
}

/** Where a page of the log ends, however few events it has. */
const PAGE_BYTES = 8 * 1024 * 1024

/** The merchant's events after a cursor, oldest first; a page of large ones is shorter than its limit. */
export async function readLog(
  tx: Pick<Tx, 'sql'>,
  { merchantId, isTest }: Tenant,
  { after = 0, orderId, limit }: EventPage,
): Promise<Array<{ cursor: number; envelope: string }>> {
  const environment = isTest === null ? '' : `AND is_test = ${isTest}`
  return query(
    tx,
    `SELECT cursor, envelope FROM (
       SELECT cursor, envelope, sum(octet_length(envelope)) OVER (ORDER BY cursor) AS bytes,
              row_number() OVER (ORDER BY cursor) AS position
         FROM (SELECT cursor, envelope FROM event_log
                WHERE merchant_id = $1 ${environment} AND cursor > $2 AND ($3::uuid IS NULL OR order_id = $3)
                ORDER BY cursor LIMIT $4) page) sized
      WHERE bytes <= ${PAGE_BYTES} OR position = 1 ORDER BY cursor`,
    [merchantId, after, orderId, limit],
  )
}

/** The cursor of the merchant's latest event, of either environment; 0 before the first. One look at the end of the key. */
export async function endOfLog(tx: Pick<Tx, 'sql'>, { merchantId }: Tenant): Promise<number> {
  const [row] = await query<{ cursor: number | null }>(
    tx,
    'SELECT max(cursor) AS cursor FROM event_log WHERE merchant_id = $1',
    [merchantId],
  )
  return row?.cursor ?? 0
}
