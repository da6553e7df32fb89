import { SANDBOX_RIDER } from '@svc/credentials'
import type { Tx } from '@svc/transact'
import type { Candidate } from '../domain/candidate.ts'
import type { DispatchRules } from '../domain/dispatch-rules.ts'
import type { Job } from '../domain/job.ts'
import { TRACED_RIDERS } from '../domain/trace.ts'
import { type NearRider, nearRiders } from './near-riders.ts'
import { rowsOf } from './rows.ts'

type Load = Pick<Candidate, 'activeOrders' | 'codMinor'>
const NO_LOAD: Load = { activeOrders: 0, codMinor: 0 }

/** At the disposal of every test order, wherever it was last moved to and however much it carries. */
const SANDBOX: Candidate = {
  riderId: SANDBOX_RIDER.id,
  isFleet: false,
  isOnline: true,
  kycStatus: 'approved',
  vehicleType: 'truck',
  lastCompletedAt: null,
  activeOrders: 0,
  codMinor: 0,
  distanceM: 0,
  locationAgeSeconds: 0,
}

/**
 * Riders near the pickup whom the merchant may see, those within reach before those who only explain a round, and
 * the fleet's riders without a known place.
 */
export async function roundCandidates(tx: Tx, job: Job, rules: DispatchRules): Promise<Candidate[]> {
  if (job.isTest) return [SANDBOX]
  if (job.pickupLat === null || job.pickupLng === null) return []
  const near = {
    point: { lat: job.pickupLat, lng: job.pickupLng },
    metres: Math.max(...rules.radiiM),
    limit: TRACED_RIDERS,
    merchantId: job.merchantId,
    isTest: false,
  }
  const reachable = await nearRiders(tx, { ...near, maxAgeSeconds: rules.maxLocationAgeSeconds, onlineOnly: true })
  const around = await nearRiders(tx, { ...near, maxAgeSeconds: null, onlineOnly: false })
  const known = new Map([...reachable, ...around].map((row) => [row.riderId, row]))
  const loads = await loadsOf(tx, [...known.keys()])
  const located = [...known.values()].map((row) => candidateOf(row, loads.get(row.riderId) ?? NO_LOAD))
  return [...located, ...(await unlocated(tx, job, TRACED_RIDERS))]
}

/** What each of the riders has under way; those without any order are absent. */
export async function loadsOf(tx: Tx, riderIds: string[]): Promise<Map<string, Load>> {
  const loads = await rowsOf<Load & { riderId: string }>(
    tx,
    `SELECT a.rider_id, count(*)::int AS active_orders, coalesce(sum(j.cod_amount_minor), 0)::bigint AS cod_minor
       FROM rider_active a JOIN dispatch_jobs j USING (order_id) WHERE a.rider_id = ANY($1::uuid[]) GROUP BY a.rider_id`,
    [riderIds],
  )
  return new Map(loads.map(({ riderId, ...load }) => [riderId, load]))
}

const candidateOf = (rider: NearRider, load: Load): Candidate => ({
  riderId: rider.riderId,
  isFleet: rider.merchantId !== null,
  isOnline: rider.isOnline,
  kycStatus: rider.kycStatus,
  vehicleType: rider.vehicleType,
  lastCompletedAt: rider.lastCompletedAt,
  ...load,
  distanceM: rider.distanceM,
  locationAgeSeconds: rider.locationAgeSeconds,
})

const unlocated = (tx: Tx, job: Job, limit: number): Promise<Candidate[]> =>
  rowsOf<Candidate>(
    tx,
    `SELECT id AS rider_id, true AS is_fleet, is_online, kyc_status, vehicle_type, last_completed_at,
            0 AS active_orders, 0 AS cod_minor, NULL AS distance_m, NULL AS location_age_seconds
       FROM riders r WHERE merchant_id = $1 AND NOT EXISTS (SELECT 1 FROM rider_positions WHERE rider_id = r.id)
      ORDER BY id LIMIT $2`,
    [job.merchantId, limit],
  )
