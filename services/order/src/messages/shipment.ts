import type {
  CreateShipmentResponse,
  GetShipmentResponse,
  Shipment as ShipmentMessage,
  SubmitShipmentResponse,
  UploadShipmentResponse,
} from '@svc/contracts/order/v1/shipment_service'
import type { Shipment } from '../domain/shipment.ts'

const COUNTED = ['draft', 'pending', 'accepted', 'picked_up', 'in_transit', 'delivered', 'cancelled'] as const

/** shipment → message */
export function shipmentMessage(shipment: Shipment): ShipmentMessage {
  const { pickupAddress: address, pickupLat: lat, pickupLng: lng, rateCardId, rateCardName, currency } = shipment
  const point = lat === null || lng === null ? undefined : { lat, lng }
  return {
    id: shipment.id,
    status: shipment.status,
    is_test: shipment.isTest,
    source: shipment.source,
    total_orders: shipment.totalOrders,
    estimated_fee_minor: shipment.estimatedFeeMinor,
    currency: currency ?? undefined,
    pickup: address === null ? undefined : { address, point },
    rate_card: rateCardId === null ? undefined : { id: rateCardId, name: rateCardName ?? '', currency: currency ?? '' },
    hold_minor: shipment.holdMinor ?? undefined,
    created_at: shipment.createdAt.toISOString(),
    submitted_at: shipment.submittedAt?.toISOString(),
    completed_at: shipment.completedAt?.toISOString(),
    cancelled_at: shipment.cancelledAt?.toISOString(),
  }
}

/** shipment and its orders by status → message */
export function shipmentReply(shipment: Shipment, counts: ReadonlyMap<string, number>): GetShipmentResponse {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const counted = COUNTED.map((status) => [status, counts.get(status) ?? 0] as const)
  const other = all - counted.reduce((sum, [, count]) => sum + count, 0)
  const named = Object.fromEntries(counted) as Record<(typeof COUNTED)[number], number>
  return { shipment: { ...shipmentMessage(shipment), counts: { ...named, other } }, child_order_count: all }
}

/** What a creation tells where no row may be wrong. */
export const createdMessage = (created: UploadShipmentResponse): CreateShipmentResponse => ({
  shipment_id: created.shipment_id,
  total_orders: created.total_orders,
  estimated_fee_minor: created.estimated_fee_minor,
  currency: created.currency,
  replayed: created.replayed,
})

/** submitted shipment → message */
export const submittedMessage = (shipment: Shipment, changed: boolean): SubmitShipmentResponse => ({
  shipment_id: shipment.id,
  status: shipment.status,
  total_orders: shipment.totalOrders,
  hold_minor: shipment.holdMinor ?? 0,
  submitted_at: shipment.submittedAt?.toISOString() ?? '',
  already_submitted: !changed,
})
