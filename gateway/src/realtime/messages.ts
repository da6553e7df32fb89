import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'

/** Names of what a merchant's socket receives. */
export const MERCHANT_EVENTS = ['rider_location', 'rider_locations_snapshot', 'rider_online_status'] as const
/** Names of what a tracking page's socket receives. */
export const TRACKING_EVENTS = ['tracking_status', 'tracking_location'] as const

/** A rider's position as a merchant's socket and the hints route show it; orders only to those who may see them. */
export const riderLocationView = (location: RiderLocation, merchantId: string, showsOrders: boolean) => ({
  rider_id: location.rider_id,
  merchant_id: merchantId,
  lat: location.lat,
  lng: location.lng,
  accuracy_m: location.accuracy_m ?? null,
  heading_deg: location.heading_deg ?? null,
  speed_mps: location.speed_mps ?? null,
  recorded_at: location.recorded_at ?? null,
  received_at: location.received_at ?? null,
  active_order_ids: showsOrders ? location.active_order_ids : [],
  is_test: location.is_test,
  seq: location.seq,
})

/**
 * What one side of the wall may see of a merchant's riders: the sandbox rider belongs to the test side, whose sockets
 * see the fleet without its live orders.
 */
export function visibleLocations(locations: readonly RiderLocation[], merchantId: string, isTest: boolean | null) {
  return locations
    .filter((location) => isTest !== false || !location.is_test)
    .map((location) => riderLocationView(location, merchantId, isTest === null || location.is_test === isTest))
}
