import type { TracedCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import type { Call } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { offersOf } from '../../db/offers.ts'
import type { Job } from '../../domain/job.ts'
import type { Offer } from '../../domain/offer.ts'
import { jobOf } from './job-of.ts'

interface TracedRound {
  round: number
  radius_m: number
  started_at: Date
  candidates: TracedCandidate[]
}

export interface Trace {
  job: Job
  rounds: TracedRound[]
  /** Those that riders saw, by rank. */
  offers: Offer[]
  now: Date
}

/** Why each rider was asked or left out, round by round. */
export async function readTrace(ctx: Context, call: Call, orderId: string): Promise<Trace> {
  const job = await jobOf(ctx, call, orderId)
  return ctx.transact('every tenant', async (tx) => {
    const { rows } = await tx.sql<TracedRound>(
      'SELECT round, radius_m, started_at, candidates FROM dispatch_rounds WHERE order_id = $1 ORDER BY round',
      [orderId],
    )
    const offers = (await offersOf(tx, orderId)).filter(({ kind }) => kind === 'auto')
    return { job, rounds: rows, offers: offers.toSorted((a, b) => a.rank - b.rank), now: tx.now }
  })
}
