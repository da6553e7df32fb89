import type { DispatchCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type NearQuery, type NearRider, nearRiders } from '../../db/near-riders.ts'
import { loadsOf } from '../../db/round-candidates.ts'
import { score } from '../../domain/candidate.ts'
import type { Point } from '../../domain/coverage.ts'
import { nearRiderMessage } from '../../messages/positions.ts'
import { ridersShownTo, shownTo } from '../../messages/shown-riders.ts'
import { jobOf } from './remember-order.ts'

const MAX_METRES = 100_000
const MAX_CANDIDATES = 50
/** More riders than this within reach of the best scores are not compared. */
const MOST_COMPARED = 2_000

/**
 * Riders with a live position around a point, by distance and load: the best scores of all within so many metres. In the
 * order of what is true of them, also where strangers are shown less exactly.
 */
export async function listDispatchCandidates(
  ctx: Context,
  by: By,
  { orderId, point, ...wanted }: { orderId: string; point: Point; metres: number; limit: number },
): Promise<DispatchCandidate[]> {
  const metres = Math.min(Math.max(wanted.metres, 1), MAX_METRES)
  const limit = Math.min(Math.max(wanted.limit, 1), MAX_CANDIDATES)
  const { merchantId, isTest } = await jobOf(ctx, by, orderId)
  const { dispatchLoadPenaltyMetres: penaltyM, liveLocationMaxAgeSeconds: maxAgeSeconds } = ctx.config
  const near = { point, merchantId, who: ridersShownTo(ctx.config, by, isTest), maxAgeSeconds, onlineOnly: false }
  const best = await ctx.transact('every tenant', async (tx) => {
    const nearest = await scored(tx, { ...near, metres, limit }, penaltyM)
    const worst = nearest.at(-1)?.scoreM ?? 0
    if (nearest.length < limit || worst === nearest.at(-1)?.distanceM) return nearest
    // A score is never below its distance: a rider who beats these is within the worst of their scores.
    const rivals = { ...near, metres: Math.min(metres, worst), limit: MOST_COMPARED }
    return (await scored(tx, rivals, penaltyM)).slice(0, limit)
  })
  return best.map((rider) => candidateMessage(shownTo(by, rider, point), rider, penaltyM))
}

interface Scored extends NearRider {
  activeOrders: number
  scoreM: number
}

async function scored(tx: Tx, query: NearQuery & { merchantId: string }, penaltyM: number): Promise<Scored[]> {
  const riders = await nearRiders(tx, query)
  const loadOf = await loadsOf(
    tx,
    riders.map(({ riderId }) => ({ merchantId: query.merchantId, riderId })),
  )
  return riders
    .map((rider) => {
      const { activeOrders } = loadOf(query.merchantId, rider.riderId)
      return { ...rider, activeOrders, scoreM: score({ ...rider, activeOrders }, penaltyM).scoreM }
    })
    .toSorted((a, b) => a.scoreM - b.scoreM || a.distanceM - b.distanceM || (a.riderId < b.riderId ? -1 : 1))
}

const candidateMessage = (shown: NearRider, { activeOrders }: Scored, penaltyM: number): DispatchCandidate => ({
  ...nearRiderMessage(shown),
  active_orders: activeOrders,
  score_m: score({ distanceM: shown.distanceM, activeOrders }, penaltyM).scoreM,
})
