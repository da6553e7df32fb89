import type { RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { riderLocation } from '../bodies/realtime.ts'

/**
 * What one side of the wall may see of a merchant's riders: the sandbox rider belongs to the test side, whose sockets
 * see the fleet without its live orders.
 */
export function visibleLocations(locations: readonly RiderLocation[], merchantId: string, isTest: boolean | null) {
  return locations
    .filter((location) => isTest !== false || !location.is_test)
    .map((location) => {
      const showsOrders = isTest === null || location.is_test === isTest
      const active_order_ids = showsOrders ? location.active_order_ids : []
      return riderLocation.parse({ ...location, merchant_id: merchantId, active_order_ids })
    })
}
