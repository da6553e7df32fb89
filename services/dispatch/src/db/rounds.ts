import type { Tx } from '@svc/transact'
import type { Job } from '../domain/job.ts'
import type { RecordedCandidate } from '../domain/trace.ts'
import { rowOf, rowsOf, type Source, write } from './rows.ts'

/** A round as it is recorded. */
export interface Round {
  round: number
  radiusM: number
  startedAt: Date
  candidates: RecordedCandidate[]
}

/** The rounds of the order, first to last. */
export const roundsOf = (source: Source, orderId: string): Promise<Round[]> =>
  rowsOf<Round>(
    source,
    'SELECT round, radius_m, started_at, candidates FROM dispatch_rounds WHERE order_id = $1 ORDER BY round',
    [orderId],
  )

/** Begins a round anew, over what an earlier pass that asked no rider left under its number. */
export async function beginRound(tx: Tx, job: Job, radiusM: number, candidates: RecordedCandidate[]): Promise<void> {
  await write(
    tx,
    `INSERT INTO dispatch_rounds (order_id, round, merchant_id, radius_m, started_at, candidates)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (order_id, round) DO UPDATE
       SET radius_m = excluded.radius_m, started_at = excluded.started_at, candidates = excluded.candidates`,
    [job.orderId, job.round, job.merchantId, radiusM, tx.now, JSON.stringify(candidates)],
  )
}

/** What is recorded of the present round. */
export async function tracedInRound(tx: Tx, { orderId, round }: Job): Promise<RecordedCandidate[]> {
  const recorded = await rowOf<Pick<Round, 'candidates'>>(
    tx,
    'SELECT candidates FROM dispatch_rounds WHERE order_id = $1 AND round = $2',
    [orderId, round],
  )
  return recorded?.candidates ?? []
}

/** Replaces what is recorded of the present round. */
export async function retrace(tx: Tx, { orderId, round }: Job, candidates: RecordedCandidate[]): Promise<void> {
  const values = [orderId, round, JSON.stringify(candidates)]
  await write(tx, 'UPDATE dispatch_rounds SET candidates = $3 WHERE order_id = $1 AND round = $2', values)
}
