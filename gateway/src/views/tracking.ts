import type { GetTrackedPositionResponse } from '@svc/contracts/dispatch/v1/position_service'
import type { Eta } from '@svc/contracts/order/v1/order'
import type { TrackOrderResponse } from '@svc/contracts/order/v1/order_service'
import { orNull } from './or-null.ts'

/** When the goods are expected; null once they are there. */
const etaView = ({ dropoff_p50_at, dropoff_p90_at }: Eta) =>
  dropoff_p50_at !== undefined && dropoff_p90_at !== undefined
    ? { p50_at: dropoff_p50_at, p90_at: dropoff_p90_at }
    : null

/** What the holder of a tracking link may see: no phones, no ids, no amounts. */
export const trackingView = (
  tracked: TrackOrderResponse,
  seen: GetTrackedPositionResponse | undefined,
): Record<string, unknown> => ({
  status: tracked.status,
  is_test: tracked.is_test,
  pickup: { text: tracked.pickup_address },
  dropoff: { text: tracked.dropoff_address },
  pickup_address: tracked.pickup_address,
  dropoff_address: tracked.dropoff_address,
  scheduled_pickup_at: orNull(tracked.scheduled_pickup_at),
  delivery_window_start: orNull(tracked.delivery_window_start),
  delivery_window_end: orNull(tracked.delivery_window_end),
  rider: tracked.rider
    ? {
        first_name: orNull(tracked.rider.first_name),
        vehicle_type: orNull(tracked.rider.vehicle_type),
        position: seen?.point ? { ...seen.point, recorded_at: seen.recorded_at } : null,
      }
    : null,
  eta: tracked.eta ? etaView(tracked.eta) : null,
  updated_at: tracked.updated_at,
})
