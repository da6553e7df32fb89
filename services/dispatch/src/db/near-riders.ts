import type { Tx } from '@svc/outbox'

export interface NearQuery {
  point: { lat: number; lng: number }
  metres: number
  limit: number
  /** Whose riders: its fleet and the freelancers; null is everybody's. */
  merchantId: string | null
  /** true finds the sandbox rider alone, false everybody but it, null both. */
  isTest: boolean | null
  /** Positions older than this are left out; null leaves out none. */
  maxAgeSeconds: number | null
  onlineOnly: boolean
}

export interface NearRiderRow {
  rider_id: string
  merchant_id: string | null
  name: string
  phone: string
  vehicle_type: string
  kyc_status: string
  is_online: boolean
  last_completed_at: Date | null
  lat: number
  lng: number
  distance_m: number
  location_age_seconds: number
}

const NEAR_RIDERS = `
SELECT n.rider_id, r.merchant_id, r.name, r.phone, r.vehicle_type, r.kyc_status, r.is_online, r.last_completed_at,
       p.lat, p.lng, n.distance_m, n.location_age_seconds
  FROM riders_near($1, $2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY
         AS n (rider_id, distance_m, location_age_seconds, nth)
  JOIN riders r ON r.id = n.rider_id
  JOIN rider_positions p ON p.rider_id = n.rider_id
 ORDER BY n.nth`

/** The riders within so many metres, nearest first on the ellipsoid; as the worker role, who sees every rider. */
export async function nearRiders(sql: Tx['sql'], query: NearQuery): Promise<NearRiderRow[]> {
  const { point, metres, limit, merchantId, isTest, maxAgeSeconds, onlineOnly } = query
  const values = [point.lat, point.lng, metres, limit, merchantId, isTest, maxAgeSeconds, onlineOnly]
  return (await sql<NearRiderRow>(NEAR_RIDERS, values)).rows
}
