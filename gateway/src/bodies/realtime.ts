import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { fieldsOf, id, instant, orNull, whole } from '@svc/public-bodies'
import * as z from 'zod'

/** Names of what a merchant's socket receives. */
export const MERCHANT_EVENTS = ['rider_location', 'rider_locations_snapshot', 'rider_online_status'] as const
/** Names of what a tracking page's socket receives. */
export const TRACKING_EVENTS = ['tracking_status', 'tracking_location'] as const

/** A rider's position as a merchant's socket and the hints route show it. */
export const riderLocation = z
  .object(
    fieldsOf<RiderLocation>()({
      rider_id: id,
      merchant_id: id,
      lat: z.number(),
      lng: z.number(),
      accuracy_m: orNull(z.number()),
      heading_deg: orNull(z.number()),
      speed_mps: orNull(z.number()),
      recorded_at: orNull(instant),
      received_at: orNull(instant),
      active_order_ids: z.array(id),
      is_test: z.boolean(),
      seq: whole,
    }),
  )
  .meta({ id: 'RealtimeRiderLocation' })
