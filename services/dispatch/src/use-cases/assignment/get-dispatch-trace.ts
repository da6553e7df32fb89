import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { knownRiders } from '../../db/near-riders.ts'
import { offersOf } from '../../db/offers.ts'
import { roundsOf } from '../../db/rounds.ts'
import { withJobs } from '../../db/shown-offers.ts'
import type { RecordedCandidate } from '../../domain/trace.ts'
import type { DispatchTrace } from '../../messages/dispatch-trace.ts'
import { jobOf } from './remember-order.ts'

/** Of a record without the place on the grid, which an earlier release made, this much is told. */
const COARSE_M = 5_000

/** Why each rider was asked or left out, round by round; of strangers merchants are told the distance to their place on the grid. */
export async function getDispatchTrace(ctx: Context, by: By, orderId: string): Promise<DispatchTrace> {
  await jobOf(ctx, by, orderId)
  return ctx.transact('every tenant', async (tx) => {
    const rounds = await roundsOf(tx, orderId)
    const offers = (await offersOf(tx, [orderId])).filter(({ kind }) => kind === 'auto')
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
  const recorded = new Map(
    trace.rounds.flatMap(({ round, candidates }) =>
      candidates.map((one) => [`${round} ${one.rider_id}`, one] as const),
    ),
  )
  return {
    ...trace,
    rounds: trace.rounds.map((round) => ({
      ...round,
      candidates: round.candidates.map((one) => (known.has(one.rider_id) ? one : strangeCandidate(one))),
    })),
    offers: trace.offers.map((shown) => {
      const { riderId, round, distanceM, loadPenaltyM } = shown.offer
      if (riderId === null || known.has(riderId)) return shown
      // Who is asked stays in the record of the round as it was judged.
      const strange = recorded.get(`${round} ${riderId}`)?.strange_distance_m ?? coarse(distanceM)
      return { ...shown, offer: { ...shown.offer, distanceM: strange, scoreM: strange + loadPenaltyM } }
    }),
  }
}

function strangeCandidate(candidate: RecordedCandidate): RecordedCandidate {
  const { distance_m, strange_distance_m, score_parts } = candidate
  if (distance_m === undefined) return candidate
  const strange = strange_distance_m ?? coarse(distance_m)
  return {
    ...candidate,
    distance_m: strange,
    score_m: strange + (score_parts?.load_penalty_m ?? 0),
    score_parts: score_parts && { ...score_parts, distance_m: strange },
  }
}

const coarse = (metres: number): number => Math.ceil(metres / COARSE_M) * COARSE_M
