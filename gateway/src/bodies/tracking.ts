import type { GetTrackedPositionResponse } from '@svc/contracts/dispatch/v1/position_service'
import type { Eta } from '@svc/contracts/order/v1/order'
import type { TrackOrderResponse } from '@svc/contracts/order/v1/order_service'
import { fieldsOf, instant, orNull, words } from '@svc/public-bodies'
import * as z from 'zod'
import { TRACKING_EVENTS } from './realtime.ts'

const place = z.object({ text: z.string() })

/** What the holder of a tracking link may see: no phones, no ids, no amounts. */
export const tracking = z
  .object({
    pickup: place,
    dropoff: place,
    ...fieldsOf<TrackOrderResponse>()({
      status: z.string(),
      is_test: z.boolean(),
      pickup_address: z.string(),
      dropoff_address: z.string(),
      scheduled_pickup_at: orNull(instant),
      delivery_window_start: orNull(instant),
      delivery_window_end: orNull(instant),
      rider: orNull(
        z.object({
          first_name: orNull(z.string()),
          vehicle_type: orNull(z.string()),
          position: orNull(z.object({ lat: z.number(), lng: z.number(), recorded_at: instant })),
        }),
      ),
      eta: orNull(z.object({ p50_at: instant, p90_at: instant })),
      updated_at: instant,
    }),
    live_updates: z
      .object({
        path: z.string(),
        transport: z.literal('socket.io'),
        event_catalog: z.array(words(...TRACKING_EVENTS)),
      })
      .optional()
      .meta({ description: 'Connect with the tracking token in `auth.tracking_token`' }),
  })
  .meta({ id: 'Tracking' })

/** When the goods are expected; null once they are there. */
const etaOf = ({ dropoff_p50_at, dropoff_p90_at }: Eta) =>
  dropoff_p50_at !== undefined && dropoff_p90_at !== undefined
    ? { p50_at: dropoff_p50_at, p90_at: dropoff_p90_at }
    : undefined

export const trackingOf = (tracked: TrackOrderResponse, seen: GetTrackedPositionResponse | undefined) => ({
  ...tracked,
  pickup: { text: tracked.pickup_address },
  dropoff: { text: tracked.dropoff_address },
  rider: tracked.rider && {
    ...tracked.rider,
    position: seen?.point && { ...seen.point, recorded_at: seen.recorded_at },
  },
  eta: tracked.eta && etaOf(tracked.eta),
})
