import type { DispatchCandidate } from '@svc/contracts/dispatch/v1/assignment_service'
import type { Call } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { type NearQuery, nearRiders } from '../../db/near-riders.ts'
import { loadsOf } from '../../db/round-candidates.ts'
import { score } from '../../domain/candidate.ts'
import type { Point } from '../../domain/coverage.ts'
import { jobOf } from './job-of.ts'

/** More riders than this within reach of the best scores are not compared. */
const MOST_COMPARED = 2_000

/** Riders with a live position around a point, by distance and load: the best scores of all within so many metres. */
export async function listCandidates(
  ctx: Context,
  call: Call,
  orderId: string,
  { point, metres, limit }: { point: Point; metres: number; limit: number },
): Promise<DispatchCandidate[]> {
  const { merchantId, isTest } = await jobOf(ctx, call, orderId)
  const { dispatchLoadPenaltyMetres: penaltyM, liveLocationMaxAgeSeconds: maxAgeSeconds } = ctx.config
  const near = { point, merchantId, isTest: isTest ? null : false, maxAgeSeconds, onlineOnly: false }
  return ctx.transact('every tenant', async (tx) => {
    const nearest = await scored(tx, { ...near, metres, limit }, penaltyM)
    const worst = nearest.at(-1)?.score_m ?? 0
    if (nearest.length < limit || worst === nearest.at(-1)?.distance_m) return nearest
    // A score is never below its distance: whoever beats these is within the worst of their scores.
    const rivals = { ...near, metres: Math.min(metres, worst), limit: MOST_COMPARED }
    return (await scored(tx, rivals, penaltyM)).slice(0, limit)
  })
}

async function scored(tx: Tx, query: NearQuery, penaltyM: number): Promise<DispatchCandidate[]> {
  const rows = await nearRiders(tx.sql, query)
  const loads = await loadsOf(
    tx,
    rows.map(({ rider_id }) => rider_id),
  )
  return rows
    .map(({ rider_id, name, phone, vehicle_type, lat, lng, distance_m, is_online, location_age_seconds }) => {
      const active_orders = loads.get(rider_id)?.activeOrders ?? 0
      const score_m = score({ distanceM: distance_m, activeOrders: active_orders }, penaltyM).scoreM
      const location_age = Math.floor(location_age_seconds)
      const rider = { rider_id, name, phone, vehicle_type, lat, lng, distance_m, active_orders, score_m, is_online }
      return { ...rider, location_age_seconds: location_age }
    })
    .toSorted((a, b) => a.score_m - b.score_m || a.distance_m - b.distance_m || (a.rider_id < b.rider_id ? -1 : 1))
}
