import { SANDBOX_RIDER } from '@svc/credentials'
import type { Database } from '@svc/database'
import type { Vehicle } from '@svc/parcel'
import type { Point } from '../domain/coverage.ts'

interface FleetQuestion {
  merchantId: string
  /** Test orders take the sandbox rider alone. */
  isTest: boolean
  /** Those that are large enough. */
  vehicles: readonly Vehicle[]
  near: Point | null
  maxActiveOrders: number
  isKycRequired: boolean
  limit: number
}

const SQL = `
SELECT rider.id, count(*) OVER ()::int AS available
  FROM riders AS rider LEFT JOIN rider_positions AS position ON position.rider_id = rider.id
 WHERE (CASE WHEN $2 THEN rider.id = '${SANDBOX_RIDER.id}'
             ELSE rider.rider_type = 'merchant_fleet' AND rider.merchant_id = $1 END)
   AND rider.is_online AND (rider.kyc_status = 'approved' OR NOT $6) AND rider.vehicle_type = ANY ($3)
   AND (rider.id = '${SANDBOX_RIDER.id}'
        OR (SELECT count(*) FROM rider_active AS active WHERE active.rider_id = rider.id) < $7)
 ORDER BY ST_Distance(position.place, ST_MakePoint($4::float8, $5::float8)::geography) NULLS LAST,
          rider.last_completed_at NULLS FIRST, rider.id
 LIMIT $8`

/** How many riders of a fleet could take an order now, and the first of them: nearest first, else longest idle first. */
export async function findFleetRiders(
  { worker }: Pick<Database, 'worker'>,
  { merchantId, isTest, vehicles, near, ...terms }: FleetQuestion,
): Promise<{ available: number; riderIds: string[] }> {
  const { rows } = await worker.query<{ id: string; available: number }>(SQL, [
    merchantId,
    isTest,
    vehicles,
    near?.lng ?? null,
    near?.lat ?? null,
    terms.isKycRequired,
    terms.maxActiveOrders,
    terms.limit,
  ])
  return { available: rows[0]?.available ?? 0, riderIds: rows.map(({ id }) => id) }
}
