import type { Vehicle } from '@svc/parcel'
import { named, type Row, rowsOf, type Source } from './rows.ts'

export interface NearQuery {
  point: { lat: number; lng: number }
  metres: number
  limit: number
  /** Whose fleet counts; null: every rider but the sandbox rider. */
  merchantId: string | null
  /** Of the merchant: its fleet, with or without the freelancers; for tests the sandbox rider alone. */
  who: 'fleet' | 'fleet and freelancers' | 'sandbox rider'
  /** Positions older than this are left out; null leaves out none. */
  maxAgeSeconds: number | null
  onlineOnly: boolean
}

export interface NearRider {
  riderId: string
  /** Of its fleet. */
  merchantId: string | null
  /** Of the fleet of the merchant who looks, or with an order of it. */
  isKnown: boolean
  name: string
  /** Null where the one who looks may not know it. */
  phone: string | null
  vehicleType: Vehicle
  kycStatus: string
  isOnline: boolean
  lastCompletedAt: Date | null
  lat: number
  lng: number
  distanceM: number
  locationAgeSeconds: number
}

const SHOWN = `
SELECT n.rider_id, r.merchant_id, r.name, r.phone, r.vehicle_type, r.kyc_status, r.is_online, r.last_completed_at,
       p.lat, p.lng, n.distance_m, n.location_age_seconds,
       coalesce(r.merchant_id = $5, false)
         OR EXISTS (SELECT FROM rider_active a WHERE a.rider_id = r.id AND a.merchant_id = $5) AS is_known`

const NEAR_RIDERS = `${SHOWN}
  FROM riders_near($1, $2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY
         AS n (rider_id, distance_m, location_age_seconds, nth)
  JOIN riders r ON r.id = n.rider_id
  JOIN rider_positions p ON p.rider_id = n.rider_id
 ORDER BY n.nth`

/** A fleet is found by its merchant, however many others are nearer. */
const NEAR_FLEET = `${SHOWN}
  FROM riders r
  JOIN rider_positions p ON p.rider_id = r.id
 CROSS JOIN LATERAL (
   SELECT r.id AS rider_id, st_distance(p.place, st_point($2, $1, 4326)::geography) AS distance_m,
          greatest(0, extract(epoch FROM app_now() - p.recorded_at))::float8 AS location_age_seconds) AS n
 WHERE r.merchant_id = $5 AND n.distance_m <= $3
   AND ($6::float8 IS NULL OR n.location_age_seconds <= $6) AND (r.is_online OR NOT $7)
 ORDER BY n.distance_m, r.id LIMIT $4`

/** The riders within so many metres, nearest first on the ellipsoid; as the worker role, which sees every rider. */
export async function nearRiders(source: Source, query: NearQuery): Promise<NearRider[]> {
  const { point, metres, limit, merchantId, who, maxAgeSeconds, onlineOnly } = query
  const asked = [point.lat, point.lng, metres, limit, merchantId]
  if (who === 'fleet') return rowsOf<NearRider>(source, NEAR_FLEET, [...asked, maxAgeSeconds, onlineOnly])
  const values = [...asked, who === 'sandbox rider', maxAgeSeconds, onlineOnly]
  if ('sql' in source) return rowsOf<NearRider>(source, NEAR_RIDERS, values)
  // Planning it takes as long as finding the riders, and who is asked for changes nothing of its plan: the function decides.
  const { rows } = await source.worker.query<Row>({ name: 'riders-near', text: NEAR_RIDERS, values })
  return named<NearRider>(rows)
}

/** Those of the riders who are of the merchant's fleet or have an order of it. */
export async function knownRiders(source: Source, merchantId: string, riderIds: readonly string[]): Promise<string[]> {
  const known = await rowsOf<{ id: string }>(
    source,
    `SELECT id FROM riders WHERE id = ANY($2) AND merchant_id = $1
     UNION SELECT rider_id FROM rider_active WHERE rider_id = ANY($2) AND merchant_id = $1`,
    [merchantId, riderIds],
  )
  return known.map(({ id }) => id)
}
