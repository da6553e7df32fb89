import { OrderFact } from '@svc/contracts/order/v1/order'
import type { Tx } from '@svc/outbox'
import type { StreamFact, StreamPosition } from '../domain/order-stream.ts'
import { query } from './query.ts'

/** A fact of an order on its way into the log. */
export interface OrderStreamFact extends StreamFact {
  orderId: string
  eventId: string
  occurredAt: Date
  traceparent: string | null
  message: OrderFact
}

export interface StreamState extends StreamPosition {
  orderId: string
  merchantId: string
  held: OrderStreamFact[]
}

interface HeldRow {
  order_id: string
  version: number
  event_id: string
  type: string
  occurred_at: Date
  traceparent: string | null
  payload: Buffer
}

/** The streams of these orders (order id to merchant), with what they hold, locked until the commit. */
export async function lockStreams(tx: Tx, merchantOfOrder: ReadonlyMap<string, string>): Promise<StreamState[]> {
  const orderIds = [...merchantOfOrder.keys()].toSorted()
  const merchantIds = orderIds.map((orderId) => merchantOfOrder.get(orderId))
  // The upsert locks; sorted, so that two consumers never wait for each other.
  const streams = await query<{ order_id: string; merchant_id: string; last_version: number; last_sequence: number }>(
    tx,
    `INSERT INTO order_stream (order_id, merchant_id, updated_at)
     SELECT *, $3::timestamptz FROM unnest($1::uuid[], $2::uuid[])
     ON CONFLICT (order_id) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING order_id, merchant_id, last_version, last_sequence`,
    [orderIds, merchantIds, tx.now],
  )
  const rows = await query<HeldRow>(tx, 'SELECT * FROM held_fact WHERE order_id = ANY ($1::uuid[])', [orderIds])
  const held = Map.groupBy(rows, ({ order_id }) => order_id)
  return streams.map((row) => ({
    orderId: row.order_id,
    merchantId: row.merchant_id,
    lastVersion: row.last_version,
    lastSequence: row.last_sequence,
    held: (held.get(row.order_id) ?? []).map(heldFact),
  }))
}

/** Keeps facts that arrived before an earlier version of their order. */
export async function holdFacts(tx: Tx, facts: readonly OrderStreamFact[]): Promise<void> {
  if (facts.length === 0) return
  await query(
    tx,
    `INSERT INTO held_fact (order_id, version, event_id, type, occurred_at, traceparent, payload)
     SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::bytea[])
     ON CONFLICT (order_id, version) DO NOTHING`,
    [
      facts.map(({ orderId }) => orderId),
      facts.map(({ version }) => version),
      facts.map(({ eventId }) => eventId),
      facts.map(({ type }) => type),
      facts.map(({ occurredAt }) => occurredAt),
      facts.map(({ traceparent }) => traceparent),
      facts.map(({ message }) => Buffer.from(OrderFact.encode(message).finish())),
    ],
  )
}

const heldFact = (row: HeldRow): OrderStreamFact => ({
  orderId: row.order_id,
  version: row.version,
  eventId: row.event_id,
  type: row.type,
  occurredAt: row.occurred_at,
  traceparent: row.traceparent,
  message: OrderFact.decode(row.payload),
})
