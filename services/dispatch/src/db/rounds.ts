import type { Tx } from '@svc/transact'
import type { RoundLook } from '../domain/ask-riders.ts'
import type { Job } from '../domain/job.ts'
import type { RecordedCandidate } from '../domain/trace.ts'
import { rowsOf, type Source, write } from './rows.ts'

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

/** What is recorded of the present round of each of these jobs. */
export async function tracedInRounds(tx: Tx, jobs: readonly Job[]): Promise<Map<string, RecordedCandidate[]>> {
  if (jobs.length === 0) return new Map()
  const recorded = await rowsOf<{ orderId: string; candidates: RecordedCandidate[] }>(
    tx,
    `SELECT order_id, candidates FROM dispatch_rounds
      WHERE (order_id, round) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))`,
    [jobs.map(({ orderId }) => orderId), jobs.map(({ round }) => round)],
  )
  return new Map(recorded.map(({ orderId, candidates }) => [orderId, candidates]))
}

const LOOKS = `jsonb_to_recordset($1)
  AS look (order_id uuid, round int, merchant_id uuid, radius_m int, candidates jsonb)`

/** Begins rounds anew, over what an earlier pass that asked no rider left under their numbers. */
export async function beginRounds(tx: Tx, looks: readonly RoundLook[]): Promise<void> {
  if (looks.length === 0) return
  await write(
    tx,
    `INSERT INTO dispatch_rounds (order_id, round, merchant_id, radius_m, started_at, candidates)
     SELECT order_id, round, merchant_id, radius_m, $2, candidates FROM ${LOOKS}
     ON CONFLICT (order_id, round) DO UPDATE
       SET radius_m = excluded.radius_m, started_at = excluded.started_at, candidates = excluded.candidates`,
    [JSON.stringify(looks.map(rowOfLook)), tx.now],
  )
}

/** Replaces what is recorded of these rounds. */
export async function retrace(tx: Tx, looks: readonly RoundLook[]): Promise<void> {
  if (looks.length === 0) return
  await write(
    tx,
    `UPDATE dispatch_rounds r SET candidates = look.candidates FROM ${LOOKS}
      WHERE r.order_id = look.order_id AND r.round = look.round`,
    [JSON.stringify(looks.map(rowOfLook))],
  )
}

const rowOfLook = ({ orderId, round, merchantId, radiusM, candidates }: RoundLook) => ({
  order_id: orderId,
  round,
  merchant_id: merchantId,
  radius_m: radiusM,
  candidates,
})
