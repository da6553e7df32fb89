import { decodeFact, encodeFact, type FactName, type PayloadOf } from '@svc/contracts/facts'
import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import type { StreamFact, StreamPosition } from '../domain/fact-stream.ts'
import { query } from './query.ts'

/** A fact on its way into the log. */
export interface LoggableFact<N extends FactName> extends StreamFact {
  type: N
  subjectId: string
  eventId: string
  occurredAt: Date
  traceparent: string | null
  message: PayloadOf<N>
}

export interface StreamState<N extends FactName> extends StreamPosition {
  /** What the facts are about: their aggregate. */
  subjectId: string
  merchantId: string
  held: Array<LoggableFact<N>>
}

// The columns are named after the first subjects that had streams.
interface StreamRow {
  order_id: string
  merchant_id: string
  last_version: number
  last_sequence: number
}

interface HeldRow<N extends FactName> {
  order_id: string
  version: number
  event_id: string
  type: N
  occurred_at: Date
  traceparent: string | null
  payload: Buffer
}

/** The streams of these subjects (subject to merchant), with what they hold, locked until the commit. */
export async function lockStreams<N extends FactName>(
  tx: Tx,
  merchantOfSubject: ReadonlyMap<string, string>,
): Promise<Array<StreamState<N>>> {
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
  const rows = await query<HeldRow<N>>(tx, 'SELECT * FROM held_fact WHERE order_id = ANY ($1::uuid[])', [subjectIds])
  const held = Map.groupBy(rows, ({ order_id }) => order_id)
  return streams.map((row) => ({
    subjectId: row.order_id,
    merchantId: row.merchant_id,
    lastVersion: row.last_version,
    lastSequence: row.last_sequence,
    held: (held.get(row.order_id) ?? []).map(heldFact),
  }))
}

/** Keeps facts that arrived before an earlier version of their subject. */
export async function holdFacts<N extends FactName>(tx: Tx, facts: ReadonlyArray<LoggableFact<N>>): Promise<void> {
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
      facts.map(({ type, message }) => encodeFact(type, message)),
    ],
  )
}

const heldFact = <N extends FactName>(row: HeldRow<N>): LoggableFact<N> => ({
  subjectId: row.order_id,
  version: row.version,
  eventId: row.event_id,
  type: row.type,
  occurredAt: row.occurred_at,
  traceparent: row.traceparent,
  message: decodeFact(row.type, row.payload),
})

/** How many facts wait for an earlier one of their subject. */
export async function countHeld({ worker }: Database): Promise<number> {
  const { rows } = await worker.query<{ held: number }>('SELECT count(*) AS held FROM held_fact')
  return rows[0]?.held ?? 0
}
