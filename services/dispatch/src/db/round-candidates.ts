import { SANDBOX_RIDER } from '@svc/credentials'
import type { Tx } from '@svc/transact'
import { type Candidate, vehiclesFor } from '../domain/candidate.ts'
import type { Point } from '../domain/coverage.ts'
import type { DispatchRules } from '../domain/dispatch-rules.ts'
import type { Job } from '../domain/job.ts'
import { strangeDistance } from '../domain/stranger.ts'
import { TRACED_RIDERS } from '../domain/trace.ts'
import { takesCapacityFrom } from './active-riders.ts'
import { cashInHand, readable } from './rider-cash.ts'
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

/** A job that looks for riders. */
interface Looking {
  job: Job
  /** Its merchant delivers by its own fleet alone. */
  fleetOnly: boolean
}

type Placed = Looking & { pickup: Point }

/**
 * Of each job, by its order, the riders whom the merchant may see: the nearest who can be asked, of its fleet and of the
 * freelancers, however many nearer ones cannot; those near the pickup who only explain a round; and the fleet's riders
 * without a known place.
 */
export async function roundCandidates(
  tx: Tx,
  looking: readonly Looking[],
  rules: DispatchRules,
): Promise<Map<string, Candidate[]>> {
  const candidates = new Map(
    looking.filter(({ job }) => job.isTest && job.rehearsal !== 'nobody').map(({ job }) => [job.orderId, [SANDBOX]]),
  )
  const placed = looking.flatMap(({ job, fleetOnly }): Placed[] =>
    job.isTest || job.pickupLat === null || job.pickupLng === null
      ? []
      : [{ job, fleetOnly, pickup: { lat: job.pickupLat, lng: job.pickupLng } }],
  )
  if (placed.length === 0) return candidates
  const around = byOrder(await ridersAround(tx, placed, rules))
  // Whoever can be asked is one of those around: where nobody is, nobody can.
  const near = placed.filter(({ job }) => around.has(job.orderId))
  const askable = byOrder([
    ...(await askableRiders(tx, near, rules, true)),
    ...(await askableRiders(
      tx,
      near.filter(({ fleetOnly }) => !fleetOnly),
      rules,
      false,
    )),
  ])
  const located = placed.map(({ job, pickup }) => {
    const found = [...(askable.get(job.orderId) ?? []), ...(around.get(job.orderId) ?? [])]
    return { job, pickup, riders: [...new Map(found.map((rider) => [rider.riderId, rider])).values()] }
  })
  const loadOf = await loadsOf(
    tx,
    located.flatMap(({ job: { merchantId }, riders }) => riders.map(({ riderId }) => ({ merchantId, riderId }))),
  )
  const unlocated = await unlocatedRiders(tx, [...new Set(placed.map(({ job }) => job.merchantId))])
  for (const { job, pickup, riders } of located)
    candidates.set(job.orderId, [
      ...riders.map((rider) => candidateOf(rider, pickup, loadOf(job.merchantId, rider.riderId))),
      ...(unlocated.get(job.merchantId) ?? []),
    ])
  return candidates
}

type Located = Omit<Candidate, keyof Load | 'isFleet' | 'distanceM' | 'strangeDistanceM'> &
  Point & { orderId: string; merchantId: string | null; distanceM: number }

const byOrder = (riders: readonly Located[]): Map<string, Located[]> => Map.groupBy(riders, ({ orderId }) => orderId)

const LOOKING = `unnest($1::uuid[], $2::uuid[], $3::float8[], $4::float8[]) WITH ORDINALITY
  AS looking (order_id, merchant_id, lat, lng, nth)`
const valuesOf = (placed: readonly Placed[]): unknown[] => [
  placed.map(({ job }) => job.orderId),
  placed.map(({ job }) => job.merchantId),
  placed.map(({ pickup }) => pickup.lat),
  placed.map(({ pickup }) => pickup.lng),
]
// Each order's riders are found by themselves, as if it were the only one: the fence keeps a plan for all from being made.
const found = (from: string, order: string) => `
SELECT looking.order_id, found.* FROM ${LOOKING}
 CROSS JOIN LATERAL (
   SELECT n.rider_id, r.merchant_id, r.vehicle_type, r.kyc_status, r.is_online, r.last_completed_at, p.lat, p.lng,
          n.distance_m, n.location_age_seconds
     FROM ${from} ORDER BY ${order} LIMIT $5) AS found
 ORDER BY looking.nth, found.distance_m, found.rider_id`
const byFunction = (call: string) => `${call} AS n
     JOIN riders r ON r.id = n.rider_id JOIN rider_positions p ON p.rider_id = n.rider_id`

const AROUND = found(
  byFunction('riders_near(looking.lat, looking.lng, $6, $5, looking.merchant_id, false, NULL, false)'),
  'n.distance_m, n.rider_id',
)
/** A fleet is found by its merchant, however many others are nearer. */
const FLEET_AROUND = found(
  `riders r JOIN rider_positions p ON p.rider_id = r.id CROSS JOIN LATERAL (
       SELECT r.id AS rider_id, st_distance(p.place, st_point(looking.lng, looking.lat, 4326)::geography) AS distance_m,
              greatest(0, extract(epoch FROM app_now() - p.recorded_at))::float8 AS location_age_seconds) AS n
    WHERE r.merchant_id = looking.merchant_id AND n.distance_m <= $6`,
  'n.distance_m, n.rider_id',
)

/** The nearest riders of each order's merchant, and freelancers where it takes them, whether or not they can be asked. */
async function ridersAround(tx: Tx, placed: readonly Placed[], rules: DispatchRules): Promise<Located[]> {
  const within = [TRACED_RIDERS, Math.max(...rules.radiiM)]
  const around = async (sql: string, some: readonly Placed[]) =>
    some.length === 0 ? [] : rowsOf<Located>(tx, sql, [...valuesOf(some), ...within])
  return [
    ...(await around(
      AROUND,
      placed.filter(({ fleetOnly }) => !fleetOnly),
    )),
    ...(await around(
      FLEET_AROUND,
      placed.filter(({ fleetOnly }) => fleetOnly),
    )),
  ]
}

const ASKABLE = found(
  byFunction(`riders_askable(looking.lat, looking.lng, $6, $5, $7, looking.order_id, looking.merchant_id, $8,
       (SELECT array_agg(v) FROM jsonb_array_elements_text(($9::jsonb)->(looking.nth - 1)::int) AS v), $10, $11,
       ($12::bigint[])[looking.nth])`),
  'n.distance_m, n.rider_id',
)

/** The nearest riders of the merchants' fleets, or freelancers, to whom each order can be offered now. */
async function askableRiders(
  tx: Tx,
  placed: readonly Placed[],
  rules: DispatchRules,
  isFleet: boolean,
): Promise<Located[]> {
  if (placed.length === 0) return []
  return rowsOf<Located>(tx, ASKABLE, [
    ...valuesOf(placed),
    TRACED_RIDERS,
    Math.max(...rules.radiiM),
    rules.maxLocationAgeSeconds,
    isFleet,
    JSON.stringify(placed.map(({ job: { vehicleType } }) => (vehicleType ? vehiclesFor(vehicleType) : []))),
    rules.kycRequired,
    rules.maxActiveOrders,
    placed.map(({ job }) =>
      rules.codCapMinor === null || !job.codAmountMinor ? null : rules.codCapMinor - job.codAmountMinor,
    ),
  ])
}

/** What each rider has under way and in hand, as that merchant feels it. */
export async function loadsOf(
  tx: Tx,
  pairs: ReadonlyArray<{ merchantId: string; riderId: string }>,
): Promise<(merchantId: string, riderId: string) => Load> {
  const keyOf = (merchantId: string, riderId: string) => `${merchantId} ${riderId}`
  const loads = new Map<string, Load>()
  if (pairs.length > 0) {
    const rows = await rowsOf<Load & { merchantId: string; riderId: string }>(
      tx,
      `SELECT asked.merchant_id, asked.rider_id, count(a.order_id)::int AS active_orders,
              count(a.order_id) FILTER (WHERE ${takesCapacityFrom('asked.merchant_id')})::int AS binding_orders,
              ${readable(`coalesce(sum(j.cod_amount_minor) FILTER (WHERE ${takesCapacityFrom('asked.merchant_id')}), 0)
                + ${cashInHand('asked.rider_id')}`)} AS cod_minor
         FROM (SELECT DISTINCT * FROM unnest($1::uuid[], $2::uuid[]) AS pair (merchant_id, rider_id)) AS asked
         LEFT JOIN (rider_active a JOIN dispatch_jobs j USING (order_id)) ON a.rider_id = asked.rider_id
        GROUP BY asked.merchant_id, asked.rider_id`,
      [pairs.map(({ merchantId }) => merchantId), pairs.map(({ riderId }) => riderId)],
    )
    for (const { merchantId, riderId, ...load } of rows) loads.set(keyOf(merchantId, riderId), load)
  }
  return (merchantId, riderId) => loads.get(keyOf(merchantId, riderId)) ?? NO_LOAD
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

/** The riders of each of these merchants' fleets without a known place. */
async function unlocatedRiders(tx: Tx, merchantIds: readonly string[]): Promise<Map<string, Candidate[]>> {
  const rows = await rowsOf<Candidate & { merchantId: string }>(
    tx,
    `SELECT fleet.* FROM unnest($1::uuid[]) AS merchant (id) CROSS JOIN LATERAL (
       SELECT r.merchant_id, r.id AS rider_id, true AS is_fleet, r.is_online, r.kyc_status, r.vehicle_type, r.last_completed_at,
              0 AS active_orders, 0 AS binding_orders, 0 AS cod_minor,
              NULL AS distance_m, NULL AS strange_distance_m, NULL AS location_age_seconds
         FROM riders r
        WHERE r.merchant_id = merchant.id AND NOT EXISTS (SELECT 1 FROM rider_positions WHERE rider_id = r.id)
        ORDER BY r.id LIMIT $2) AS fleet
      ORDER BY fleet.merchant_id, fleet.rider_id`,
    [merchantIds, TRACED_RIDERS],
  )
  return Map.groupBy(rows, ({ merchantId }) => merchantId)
}
