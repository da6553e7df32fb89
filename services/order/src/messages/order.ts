import type { Order as OrderMessage, Rider } from '@svc/contracts/order/v1/order'
import type { Order } from '../domain/order.ts'
import { SANDBOX_RIDER } from '../domain/sandbox-rider.ts'

/** An order as other processes see it; without its times while the database has not told them yet. */
export function orderMessage(order: Order, trackingBaseUrl: string | undefined): OrderMessage {
  const token = order.trackingToken ?? undefined
  return {
    id: order.id,
    merchant_id: order.merchantId,
    is_test: order.isTest,
    source: order.source,
    external_order_id: order.externalOrderId,
    status: order.status,
    payment_verified: order.paymentVerified,
    unified_json: order.unifiedJson,
    tracking_token: token,
    customer_tracking_url: token && trackingBaseUrl ? `${trackingBaseUrl.replace(/\/+$/, '')}/${token}` : undefined,
    vehicle_type_source: order.vehicleTypeSource ?? undefined,
    pickup: point(order.pickupLat, order.pickupLng),
    dropoff: point(order.dropoffLat, order.dropoffLng),
    rider: riderMessage(order.riderId),
    cancelled_at: order.cancelledAt?.toISOString(),
    created_at: order.createdAt?.toISOString(),
    updated_at: order.updatedAt?.toISOString(),
    version: order.version,
  }
}

const point = (lat: number | null, lng: number | null) => (lat === null || lng === null ? undefined : { lat, lng })

/** What is known of a rider; of one who is not known here, the id. */
export function riderMessage(riderId: string | null): Rider | undefined {
  if (riderId === null) return undefined
  if (riderId !== SANDBOX_RIDER.id) return { id: riderId }
  const { id, name, phone, vehicleType } = SANDBOX_RIDER
  return { id, name, phone, vehicle_type: vehicleType }
}
