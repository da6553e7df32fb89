import { decodeFact, encodeFact, type FactName } from '@svc/contracts/facts'
import type { Database } from '@svc/database'
import type { ReceivedFact } from '@svc/facts'
import type { Tx } from '@svc/transact'
import type { StreamPosition } from '../domain/fact-stream.ts'
import { query } from './query.ts'

/** A fact on its way into the log, as it was received: what is held back of one is this. */
export type LoggableFact<N extends FactName> = Pick<
  ReceivedFact<N>,
  'id' | 'type' | 'time' | 'aggregateId' | 'aggregateVersion' | 'message'
> & { traceparent?: string | null }

export interface StreamState<N extends FactName> extends StreamPosition {
  /** What the facts are about: their aggregate. */
  subjectId: string
  merchantId: string
  held: Array<LoggableFact<N>>
}

/** The streams of these subjects (subject to merchant), with what they hold, locked until the commit. */
export async function lockStreams<N extends FactName>(
  tx: Tx,
  merchantOfSubject: ReadonlyMap<string, string>,
): Promise<Array<StreamState<N>>> {
  const subjectIds = [...merchantOfSubject.keys()].toSorted()
  const merchantIds = subjectIds.map((subjectId) => merchantOfSubject.get(subjectId))
  // The upsert locks; sorted, so that two consumers never wait for each other.
  // The column of subjects is named after the first that had streams.
  const streams = await query<Omit<StreamState<N>, 'held'>>(
    tx,
    `INSERT INTO order_stream (order_id, merchant_id, updated_at)
     SELECT *, $3::timestamptz FROM unnest($1::uuid[], $2::uuid[])
     ON CONFLICT (order_id) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING order_id AS "subjectId", merchant_id AS "merchantId", last_version AS "lastVersion",
               last_sequence AS "lastSequence"`,
    [subjectIds, merchantIds, tx.now],
  )
  const held = Map.groupBy(await heldFacts<N>(tx, subjectIds), ({ aggregateId }) => aggregateId)
  return streams.map((stream) => ({ ...stream, held: held.get(stream.subjectId) ?? [] }))
}

async function heldFacts<N extends FactName>(tx: Tx, subjectIds: readonly string[]): Promise<Array<LoggableFact<N>>> {
  const rows = await query<Omit<LoggableFact<N>, 'message'> & { payload: Buffer }>(
    tx,
    `SELECT event_id AS id, type, occurred_at AS time, order_id AS "aggregateId", version AS "aggregateVersion",
            traceparent, payload
       FROM held_fact WHERE order_id = ANY ($1::uuid[])`,
    [subjectIds],
  )
  return rows.map(({ payload, ...fact }) => ({ ...fact, message: decodeFact(fact.type, payload) }))
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
      facts.map(({ aggregateId }) => aggregateId),
      facts.map(({ aggregateVersion }) => aggregateVersion),
      facts.map(({ id }) => id),
      facts.map(({ type }) => type),
      facts.map(({ time }) => time),
      facts.map(({ traceparent }) => traceparent ?? null),
      facts.map(({ type, message }) => encodeFact(type, message)),
    ],
  )
}

/** How many facts wait for an earlier one of their subject. */
export async function countHeld({ worker }: Database): Promise<number> {
  const { rows } = await worker.query<{ held: number }>('SELECT count(*) AS held FROM held_fact')
  return rows[0]?.held ?? 0
}
