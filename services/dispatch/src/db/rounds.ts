import type { TracedCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import type { Tx } from '@svc/outbox'
import type { Job } from '../domain/job.ts'

/** Begins a round anew, over what an earlier pass that asked nobody left under its number. */
export async function beginRound(tx: Tx, job: Job, radiusM: number, candidates: TracedCandidate[]): Promise<void> {
  await tx.sql(
    `INSERT INTO dispatch_rounds (order_id, round, merchant_id, radius_m, started_at, candidates)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (order_id, round) DO UPDATE
       SET radius_m = excluded.radius_m, started_at = excluded.started_at, candidates = excluded.candidates`,
    [job.orderId, job.round, job.merchantId, radiusM, tx.now, JSON.stringify(candidates)],
  )
}

/** What is recorded of the present round. */
export async function tracedInRound(tx: Tx, job: Job): Promise<TracedCandidate[]> {
  const { rows } = await tx.sql<{ candidates: TracedCandidate[] }>(
    'SELECT candidates FROM dispatch_rounds WHERE order_id = $1 AND round = $2',
    [job.orderId, job.round],
  )
  return rows[0]?.candidates ?? []
}

/** Replaces what is recorded of the present round. */
export async function retrace(tx: Tx, job: Job, candidates: TracedCandidate[]): Promise<void> {
  await tx.sql('UPDATE dispatch_rounds SET candidates = $3 WHERE order_id = $1 AND round = $2', [
    job.orderId,
    job.round,
    JSON.stringify(candidates),
  ])
}
