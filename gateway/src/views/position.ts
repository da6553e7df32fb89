import type { HistoryPoint, RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { orNull } from './or-null.ts'

/** A position as whoever reported it gets it back. */
export const locationView = (location: RiderLocation): Record<string, unknown> => ({
  rider_id: location.rider_id,
  lat: location.lat,
  lng: location.lng,
  accuracy_m: orNull(location.accuracy_m),
  heading_deg: orNull(location.heading_deg),
  speed_mps: orNull(location.speed_mps),
  recorded_at: location.recorded_at,
  received_at: location.received_at,
})

export const historyPointView = (point: HistoryPoint): Record<string, unknown> => ({
  lat: point.lat,
  lng: point.lng,
  accuracy_m: orNull(point.accuracy_m),
  recorded_at: point.recorded_at,
})
