import { SANDBOX_RIDER } from '@svc/credentials'
import type { Tx } from '@svc/outbox'
import type { Vehicle } from '@svc/parcel'
import type { Candidate } from '../domain/candidate.ts'
import type { DispatchRules } from '../domain/dispatch-rules.ts'
import type { Job } from '../domain/job.ts'
import { TRACED_RIDERS } from '../domain/trace.ts'
import { type NearRiderRow, nearRiders } from './near-riders.ts'

type Load = Pick<Candidate, 'activeOrders' | 'codMinor'>
const NO_LOAD: Load = { activeOrders: 0, codMinor: 0 }

/** At the disposal of every test order, wherever somebody last moved it to and however much it carries. */
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
 * Riders near the pickup whom the merchant may see, those who can be reached before those who only explain a round, and
 * the fleet's riders whose place nobody knows.
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
  const reachable = await nearRiders(tx.sql, { ...near, maxAgeSeconds: rules.maxLocationAgeSeconds, onlineOnly: true })
  const around = await nearRiders(tx.sql, { ...near, maxAgeSeconds: null, onlineOnly: false })
  const known = new Map([...reachable, ...around].map((row) => [row.rider_id, row]))
  const loads = await loadsOf(tx, [...known.keys()])
  const located = [...known.values()].map((row) => candidateOf(row, loads.get(row.rider_id) ?? NO_LOAD))
  return [...located, ...(await unlocated(tx, job, TRACED_RIDERS))]
}

/** What each of the riders has under way; those without any order are absent. */
export async function loadsOf(tx: Tx, riderIds: string[]): Promise<Map<string, Load>> {
  const { rows } = await tx.sql<Load & { riderId: string }>(
    `SELECT a.rider_id AS "riderId", count(*)::int AS "activeOrders", coalesce(sum(j.cod_amount_minor), 0)::bigint AS "codMinor"
       FROM rider_active a JOIN dispatch_jobs j USING (order_id) WHERE a.rider_id = ANY($1::uuid[]) GROUP BY a.rider_id`,
    [riderIds],
  )
  return new Map(rows.map(({ riderId, ...load }) => [riderId, load]))
}

const candidateOf = (row: NearRiderRow, load: Load): Candidate => ({
  riderId: row.rider_id,
  isFleet: row.merchant_id !== null,
  isOnline: row.is_online,
  kycStatus: row.kyc_status,
  vehicleType: row.vehicle_type as Vehicle,
  lastCompletedAt: row.last_completed_at,
  ...load,
  distanceM: row.distance_m,
  locationAgeSeconds: row.location_age_seconds,
})

async function unlocated(tx: Tx, job: Job, limit: number): Promise<Candidate[]> {
  const { rows } = await tx.sql<Candidate>(
    `SELECT id AS "riderId", true AS "isFleet", is_online AS "isOnline", kyc_status AS "kycStatus",
            vehicle_type AS "vehicleType", last_completed_at AS "lastCompletedAt", 0 AS "activeOrders",
            0 AS "codMinor", NULL AS "distanceM", NULL AS "locationAgeSeconds"
       FROM riders r WHERE merchant_id = $1 AND NOT EXISTS (SELECT 1 FROM rider_positions WHERE rider_id = r.id)
      ORDER BY id LIMIT $2`,
    [job.merchantId, limit],
  )
  return rows
}
