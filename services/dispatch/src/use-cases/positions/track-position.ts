import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { isShownWhileTracked } from '../../domain/rider-position.ts'

export interface TrackedPosition {
  lat: number
  lng: number
  recorded_at: Date
}

/** Where the rider of an order is, from the acceptance until the order ends; null at any other time or for another rider. */
export async function trackPosition(
  { database }: Context,
  orderId: string,
  riderId: string,
): Promise<TrackedPosition | null> {
  if (!isUuid(orderId) || !isUuid(riderId)) return null
  const { rows } = await database.worker.query<TrackedPosition & { status: string }>(
    `SELECT j.status, p.lat, p.lng, p.recorded_at
       FROM dispatch_jobs j JOIN rider_positions p ON p.rider_id = j.rider_id
      WHERE j.order_id = $1 AND j.rider_id = $2`,
    [orderId, riderId],
  )
  const tracked = rows[0]
  return tracked && isShownWhileTracked(tracked.status) ? tracked : null
}
