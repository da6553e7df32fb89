import type { Vehicle } from '@svc/parcel'
import type { Tx } from '@svc/transact'
import type { Point } from '../domain/coverage.ts'
import { rowOf } from './rows.ts'

/** Positions older than this say little about where a rider is now. */
const PRESENT_SECONDS = 300

/** What estimates need of a rider; the position is null where none is recent. */
export async function riderOnTheWay(
  tx: Tx,
  riderId: string,
): Promise<{ vehicleType: Vehicle; position: Point | null } | null> {
  const rider = await rowOf<{ vehicleType: Vehicle; lat: number | null; lng: number | null }>(
    tx,
    `SELECT r.vehicle_type, p.lat, p.lng
       FROM riders r LEFT JOIN rider_positions p
         ON p.rider_id = r.id AND p.recorded_at >= $2::timestamptz - interval '${PRESENT_SECONDS} seconds'
      WHERE r.id = $1`,
    [riderId, tx.now],
  )
  if (!rider) return null
  const { vehicleType, lat, lng } = rider
  return { vehicleType, position: lat === null || lng === null ? null : { lat, lng } }
}
