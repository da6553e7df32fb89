import { SANDBOX_RIDER } from '@svc/credentials'
import type { Tx } from '@svc/transact'
import { type Candidate, vehiclesFor } from '../domain/candidate.ts'
import type { Point } from '../domain/coverage.ts'
import type { DispatchRules, MerchantRules } from '../domain/dispatch-rules.ts'
import type { Job } from '../domain/job.ts'
import { strangeDistance } from '../domain/stranger.ts'
import { TRACED_RIDERS } from '../domain/trace.ts'
import { takesCapacityFrom } from './active-riders.ts'
import { nearRiders } from './near-riders.ts'
import { rowsOf } from './rows.ts'

type Load = Pick<Candidate, 'activeOrders' | 'bindingOrders' | 'codMinor'>
const NO_LOAD: Load = { activeOrders: 0, bindingOrders: 0, codMinor: 0 }

/** At the disposal of every test order, wherever it was last moved to and however much it carries. */
const SANDBOX: Candidate = {
  riderId: SANDBOX_RIDER.id,
  isFleet: false,
  isOnline: true,
  kycStatus: 'approved',
  vehicleType: 'truck',
  lastCompletedAt: null,
  ...NO_LOAD,
  distanceM: 0,
  strangeDistanceM: 0,
  locationAgeSeconds: 0,
}

/**
 * Riders whom the merchant may see: the nearest who can be asked, of its fleet and of the freelancers, however many nearer
 * ones cannot; those near the pickup who only explain a round; and the fleet's riders without a known place.
 */
export async function roundCandidates(
  tx: Tx,
  job: Job,
  rules: DispatchRules,
  { fleetOnly }: Pick<MerchantRules, 'fleetOnly'>,
): Promise<Candidate[]> {
  if (job.isTest) return [SANDBOX]
  if (job.pickupLat === null || job.pickupLng === null) return []
  const pickup = { lat: job.pickupLat, lng: job.pickupLng }
  const around = await nearRiders(tx, {
    point: pickup,
    metres: Math.max(...rules.radiiM),
    limit: TRACED_RIDERS,
    merchantId: job.merchantId,
    who: fleetOnly ? 'fleet' : 'fleet and freelancers',
    maxAgeSeconds: null,
    onlineOnly: false,
  })
  const askable = [
    ...(await askableRiders(tx, job, rules, true)),
    ...(fleetOnly ? [] : await askableRiders(tx, job, rules, false)),
  ]
  const known = new Map([...askable, ...around].map((row) => [row.riderId, row]))
  const loads = await loadsOf(tx, job.merchantId, [...known.keys()])
  const located = [...known.values()].map((row) => candidateOf(row, pickup, loads.get(row.riderId) ?? NO_LOAD))
  return [...located, ...(await unlocated(tx, job, TRACED_RIDERS))]
}

type Located = Omit<Candidate, keyof Load | 'isFleet' | 'distanceM' | 'strangeDistanceM'> &
  Point & { merchantId: string | null; distanceM: number }

/** The nearest riders of the merchant's fleet, or freelancers, to whom the order can be offered now. */
function askableRiders(tx: Tx, job: Job, rules: DispatchRules, isFleet: boolean): Promise<Located[]> {
  const maxCodMinor = rules.codCapMinor === null ? null : rules.codCapMinor - (job.codAmountMinor ?? 0)
  return rowsOf<Located>(
    tx,
    `SELECT n.rider_id, r.merchant_id, r.vehicle_type, r.kyc_status, r.is_online, r.last_completed_at,
            p.lat, p.lng, n.distance_m, n.location_age_seconds
       FROM riders_askable($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS n JOIN riders r ON r.id = n.rider_id
       JOIN rider_positions p ON p.rider_id = n.rider_id`,
    [
      job.pickupLat,
      job.pickupLng,
      Math.max(...rules.radiiM),
      TRACED_RIDERS,
      rules.maxLocationAgeSeconds,
      job.orderId,
      job.merchantId,
      isFleet,
      job.vehicleType && vehiclesFor(job.vehicleType),
      rules.kycRequired,
      rules.maxActiveOrders,
      maxCodMinor,
    ],
  )
}

/** What each of the riders has under way, as the merchant feels it; those without any order are absent. */
export async function loadsOf(tx: Tx, merchantId: string, riderIds: string[]): Promise<Map<string, Load>> {
  const loads = await rowsOf<Load & { riderId: string }>(
    tx,
    `SELECT a.rider_id, count(*)::int AS active_orders,
            count(*) FILTER (WHERE ${takesCapacityFrom('$2')})::int AS binding_orders,
            coalesce(sum(j.cod_amount_minor) FILTER (WHERE ${takesCapacityFrom('$2')}), 0)::bigint AS cod_minor
       FROM rider_active a JOIN dispatch_jobs j USING (order_id) WHERE a.rider_id = ANY($1::uuid[]) GROUP BY a.rider_id`,
    [riderIds, merchantId],
  )
  return new Map(loads.map(({ riderId, ...load }) => [riderId, load]))
}

const candidateOf = (rider: Located, pickup: Point, load: Load): Candidate => ({
  riderId: rider.riderId,
  isFleet: rider.merchantId !== null,
  isOnline: rider.isOnline,
  kycStatus: rider.kycStatus,
  vehicleType: rider.vehicleType,
  lastCompletedAt: rider.lastCompletedAt,
  ...load,
  distanceM: rider.distanceM,
  strangeDistanceM: strangeDistance(rider, pickup),
  locationAgeSeconds: rider.locationAgeSeconds,
})

const unlocated = (tx: Tx, job: Job, limit: number): Promise<Candidate[]> =>
  rowsOf<Candidate>(
    tx,
    `SELECT id AS rider_id, true AS is_fleet, is_online, kyc_status, vehicle_type, last_completed_at,
            0 AS active_orders, 0 AS binding_orders, 0 AS cod_minor, NULL AS distance_m, NULL AS strange_distance_m, NULL AS location_age_seconds
       FROM riders r WHERE merchant_id = $1 AND NOT EXISTS (SELECT 1 FROM rider_positions WHERE rider_id = r.id)
      ORDER BY id LIMIT $2`,
    [job.merchantId, limit],
  )
