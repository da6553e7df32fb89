import type { TrackOrderResponse } from '@svc/contracts/order/v1/order_service'
import { isTerminal } from '../domain/order-status.ts'
import type { TrackedOrder } from '../domain/shown-order.ts'
import { parseUnified } from '../domain/unified-record.ts'
import { riderMessage } from './order.ts'

const BEFORE_ACCEPTANCE = new Set(['draft', 'pending'])

/**
 * What the holder of a tracking link may see: no phone and no amount; the rider once the order was accepted, and until it
 * ends which rider's position may be shown.
 */
export function trackedOrder(order: TrackedOrder): TrackOrderResponse {
  const { pickup_address, dropoff_address } = parseUnified(order.unifiedJson).standardized
  const rider = BEFORE_ACCEPTANCE.has(order.status) ? undefined : riderMessage(order)
  return {
    status: order.status,
    is_test: order.isTest,
    pickup_address: String(pickup_address),
    dropoff_address: String(dropoff_address),
    scheduled_pickup_at: order.scheduledPickupAt.toISOString(),
    delivery_window_start: order.deliveryWindowStart.toISOString(),
    delivery_window_end: order.deliveryWindowEnd.toISOString(),
    rider: rider && { first_name: rider.name?.split(' ')[0], vehicle_type: rider.vehicle_type },
    updated_at: order.updatedAt.toISOString(),
    order_id: order.id,
    rider_id: isTerminal(order.status) ? undefined : rider?.id,
    eta: order.eta ?? undefined,
  }
}
