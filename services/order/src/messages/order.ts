import type { Order as OrderMessage, Rider } from '@svc/contracts/order/v1/order'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { NewOrder } from '../domain/new-order.ts'
import { hasRiderActed, type RiderSummary } from '../domain/order.ts'
import type { ShownOrder } from '../domain/shown-order.ts'

/** A message of which every field is named, absent ones too: one that is forgotten does not compile. */
type Full<Message> = { [Field in keyof Required<Message>]: Message[Field] }

/** An order as other processes see it; without its times while the database has not told them yet. */
export function orderMessage(order: ShownOrder | NewOrder, trackingBaseUrl: string | undefined): OrderMessage {
  const token = order.trackingToken ?? undefined
  const message: Full<OrderMessage> = {
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
    rider: riderMessage(order),
    cancelled_at: order.cancelledAt?.toISOString(),
    created_at: order.createdAt?.toISOString(),
    updated_at: order.updatedAt?.toISOString(),
    version: order.version,
    assignment_version: order.assignmentVersion,
    fee_minor: order.feeMinor ?? undefined,
    currency: order.currency ?? undefined,
    quote_id: order.quoteId ?? undefined,
    eta: order.eta ?? undefined,
    rider_acted: order.riderId === null ? undefined : hasRiderActed(order),
  }
  return message
}

/** A rider as dispatch names it. */
export const riderSummaryOf = ({ id, name, phone, vehicle_type }: Rider): RiderSummary => ({
  id,
  name: name ?? null,
  phone: phone ?? null,
  vehicleType: vehicle_type ?? null,
})

const point = (lat: number | null, lng: number | null) => (lat === null || lng === null ? undefined : { lat, lng })

/** What is known of the order's rider, if it has one. */
export function riderMessage(
  order: Pick<ShownOrder, 'riderId' | 'riderName' | 'riderPhone' | 'riderVehicleType'>,
): Rider | undefined {
  const { riderId, riderName, riderPhone, riderVehicleType } = order
  if (riderId === null) return undefined
  if (riderId !== SANDBOX_RIDER.id) {
    const [name, phone, vehicle_type] = [riderName ?? undefined, riderPhone ?? undefined, riderVehicleType ?? undefined]
    return { id: riderId, name, phone, vehicle_type }
  }
  const { id, name, phone, vehicleType } = SANDBOX_RIDER
  return { id, name, phone, vehicle_type: vehicleType }
}
