import type { DispatchCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type NearQuery, nearRiders } from '../../db/near-riders.ts'
import { loadsOf } from '../../db/round-candidates.ts'
import { score } from '../../domain/candidate.ts'
import type { Point } from '../../domain/coverage.ts'
import { jobOf } from './remember-order.ts'

const MAX_METRES = 100_000
const MAX_CANDIDATES = 50
/** More riders than this within reach of the best scores are not compared. */
const MOST_COMPARED = 2_000

/** Riders with a live position around a point, by distance and load: the best scores of all within so many metres. */
export async function listDispatchCandidates(
  ctx: Context,
  by: By,
  { orderId, point, ...wanted }: { orderId: string; point: Point; metres: number; limit: number },
): Promise<DispatchCandidate[]> {
  const metres = Math.min(Math.max(wanted.metres, 1), MAX_METRES)
  const limit = Math.min(Math.max(wanted.limit, 1), MAX_CANDIDATES)
  const { merchantId, isTest } = await jobOf(ctx, by, orderId)
  const { dispatchLoadPenaltyMetres: penaltyM, liveLocationMaxAgeSeconds: maxAgeSeconds } = ctx.config
  const near = { point, merchantId, isTest: isTest ? null : false, maxAgeSeconds, onlineOnly: false }
  return ctx.transact('every tenant', async (tx) => {
    const nearest = await scored(tx, { ...near, metres, limit }, penaltyM)
    const worst = nearest.at(-1)?.score_m ?? 0
    if (nearest.length < limit || worst === nearest.at(-1)?.distance_m) return nearest
    // A score is never below its distance: a rider who beats these is within the worst of their scores.
    const rivals = { ...near, metres: Math.min(metres, worst), limit: MOST_COMPARED }
    return (await scored(tx, rivals, penaltyM)).slice(0, limit)
  })
}

async function scored(tx: Tx, query: NearQuery, penaltyM: number): Promise<DispatchCandidate[]> {
  const riders = await nearRiders(tx, query)
  const loads = await loadsOf(
    tx,
    riders.map(({ riderId }) => riderId),
  )
  return riders
    .map(({ riderId, name, phone, vehicleType, lat, lng, distanceM, isOnline, locationAgeSeconds }) => {
      const activeOrders = loads.get(riderId)?.activeOrders ?? 0
      return {
        rider_id: riderId,
        name,
        phone,
        vehicle_type: vehicleType,
        lat,
        lng,
        distance_m: distanceM,
        active_orders: activeOrders,
        score_m: score({ distanceM, activeOrders }, penaltyM).scoreM,
        is_online: isOnline,
        location_age_seconds: Math.floor(locationAgeSeconds),
      }
    })
    .toSorted((a, b) => a.score_m - b.score_m || a.distance_m - b.distance_m || (a.rider_id < b.rider_id ? -1 : 1))
}
