import type { Tx } from '@svc/outbox'
import type { StreamFact, StreamPosition } from '../domain/fact-stream.ts'
import { query } from './query.ts'

/** A fact on its way into the log. */
export interface LoggableFact<M> extends StreamFact {
  subjectId: string
  eventId: string
  occurredAt: Date
  traceparent: string | null
  message: M
}

export interface StreamState<M> extends StreamPosition {
  /** What the facts are about: their aggregate. */
  subjectId: string
  merchantId: string
  held: Array<LoggableFact<M>>
}

/** How the messages of one kind of facts are kept. */
export interface Codec<M> {
  encode(message: M): { finish(): Uint8Array }
  decode(bytes: Uint8Array): M
}

// The columns are named after the first subjects that had streams.
interface StreamRow {
  order_id: string
  merchant_id: string
  last_version: number
  last_sequence: number
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

/** The streams of these subjects (subject to merchant), with what they hold, locked until the commit. */
export async function lockStreams<M>(
  tx: Tx,
  codec: Codec<M>,
  merchantOfSubject: ReadonlyMap<string, string>,
): Promise<Array<StreamState<M>>> {
  const subjectIds = [...merchantOfSubject.keys()].toSorted()
  const merchantIds = subjectIds.map((subjectId) => merchantOfSubject.get(subjectId))
  // The upsert locks; sorted, so that two consumers never wait for each other.
  const streams = await query<StreamRow>(
    tx,
    `INSERT INTO order_stream (order_id, merchant_id, updated_at)
     SELECT *, $3::timestamptz FROM unnest($1::uuid[], $2::uuid[])
     ON CONFLICT (order_id) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING order_id, merchant_id, last_version, last_sequence`,
    [subjectIds, merchantIds, tx.now],
  )
  const rows = await query<HeldRow>(tx, 'SELECT * FROM held_fact WHERE order_id = ANY ($1::uuid[])', [subjectIds])
  const held = Map.groupBy(rows, ({ order_id }) => order_id)
  return streams.map((row) => ({
    subjectId: row.order_id,
    merchantId: row.merchant_id,
    lastVersion: row.last_version,
    lastSequence: row.last_sequence,
    held: (held.get(row.order_id) ?? []).map((fact) => heldFact(codec, fact)),
  }))
}

/** Keeps facts that arrived before an earlier version of their subject. */
export async function holdFacts<M>(tx: Tx, codec: Codec<M>, facts: ReadonlyArray<LoggableFact<M>>): Promise<void> {
  if (facts.length === 0) return
  await query(
    tx,
    `INSERT INTO held_fact (order_id, version, event_id, type, occurred_at, traceparent, payload)
     SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::bytea[])
     ON CONFLICT (order_id, version) DO NOTHING`,
    [
      facts.map(({ subjectId }) => subjectId),
      facts.map(({ version }) => version),
      facts.map(({ eventId }) => eventId),
      facts.map(({ type }) => type),
      facts.map(({ occurredAt }) => occurredAt),
      facts.map(({ traceparent }) => traceparent),
      facts.map(({ message }) => Buffer.from(codec.encode(message).finish())),
    ],
  )
}

const heldFact = <M>(codec: Codec<M>, row: HeldRow): LoggableFact<M> => ({
  subjectId: row.order_id,
  version: row.version,
  eventId: row.event_id,
  type: row.type,
  occurredAt: row.occurred_at,
  traceparent: row.traceparent,
  message: codec.decode(row.payload),
})
