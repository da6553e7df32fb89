import type { TracedCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { knownRiders } from '../../db/near-riders.ts'
import { offersOf } from '../../db/offers.ts'
import { roundsOf } from '../../db/rounds.ts'
import { withJobs } from '../../db/shown-offers.ts'
import { roundedMetres } from '../../domain/stranger.ts'
import type { DispatchTrace } from '../../messages/dispatch-trace.ts'
import { jobOf } from './remember-order.ts'

/** Why each rider was asked or left out, round by round; how far strangers were is rounded for merchants. */
export async function getDispatchTrace(ctx: Context, by: By, orderId: string): Promise<DispatchTrace> {
  await jobOf(ctx, by, orderId)
  return ctx.transact('every tenant', async (tx) => {
    const rounds = await roundsOf(tx, orderId)
    const offers = (await offersOf(tx, orderId)).filter(({ kind }) => kind === 'auto')
    const seen = [
      ...rounds.flatMap(({ candidates }) => candidates.map(({ rider_id }) => rider_id)),
      ...offers.map(({ riderId }) => riderId!),
    ]
    const known = by.scope === 'every tenant' ? seen : await knownRiders(tx, by.scope.merchantId, seen)
    return seenBy(new Set(known), {
      orderId,
      rounds,
      offers: await withJobs(
        tx,
        offers.toSorted((a, b) => a.rank - b.rank),
      ),
    })
  })
}

function seenBy(known: ReadonlySet<string>, trace: DispatchTrace): DispatchTrace {
  return {
    ...trace,
    rounds: trace.rounds.map((round) => ({
      ...round,
      candidates: round.candidates.map((one) => (known.has(one.rider_id) ? one : roundedCandidate(one))),
    })),
    offers: trace.offers.map((shown) => {
      const { riderId, distanceM, loadPenaltyM } = shown.offer
      if (riderId === null || known.has(riderId)) return shown
      const rounded = roundedMetres(distanceM)
      return { ...shown, offer: { ...shown.offer, distanceM: rounded, scoreM: rounded + loadPenaltyM } }
    }),
  }
}

function roundedCandidate(candidate: TracedCandidate): TracedCandidate {
  const { distance_m, score_parts } = candidate
  if (distance_m === undefined) return candidate
  const rounded = roundedMetres(distance_m)
  return {
    ...candidate,
    distance_m: rounded,
    score_m: rounded + (score_parts?.load_penalty_m ?? 0),
    score_parts: score_parts && { ...score_parts, distance_m: rounded },
  }
}
