import type { Vehicle } from '@svc/parcel'
import { rowsOf, type Source } from './rows.ts'

export interface NearQuery {
  point: { lat: number; lng: number }
  metres: number
  limit: number
  /** The merchant who looks: its fleet and the freelancers; null: every rider. */
  merchantId: string | null
  /** true finds the sandbox rider alone, false every rider but it, null both. */
  isTest: boolean | null
  /** Positions older than this are left out; null leaves out none. */
  maxAgeSeconds: number | null
  onlineOnly: boolean
}

export interface NearRider {
  riderId: string
  /** Of its fleet. */
  merchantId: string | null
  name: string
  phone: string
  vehicleType: Vehicle
  kycStatus: string
  isOnline: boolean
  lastCompletedAt: Date | null
  lat: number
  lng: number
  distanceM: number
  locationAgeSeconds: number
}

const NEAR_RIDERS = `
SELECT n.rider_id, r.merchant_id, r.name, r.phone, r.vehicle_type, r.kyc_status, r.is_online, r.last_completed_at,
       p.lat, p.lng, n.distance_m, n.location_age_seconds
  FROM riders_near($1, $2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY
         AS n (rider_id, distance_m, location_age_seconds, nth)
  JOIN riders r ON r.id = n.rider_id
  JOIN rider_positions p ON p.rider_id = n.rider_id
 ORDER BY n.nth`

/** The riders within so many metres, nearest first on the ellipsoid; as the worker role, which sees every rider. */
export async function nearRiders(source: Source, query: NearQuery): Promise<NearRider[]> {
  const { point, metres, limit, merchantId, isTest, maxAgeSeconds, onlineOnly } = query
  const values = [point.lat, point.lng, metres, limit, merchantId, isTest, maxAgeSeconds, onlineOnly]
  return rowsOf<NearRider>(source, NEAR_RIDERS, values)
}
