import type { Point } from '@svc/contracts/common/v1/common'
import type { Eta, Order, Rider } from '@svc/contracts/order/v1/order'
import { RawJson } from '@svc/exact-json'
import { orNull } from './or-null.ts'

const riderView = ({ id, name, phone, vehicle_type }: Rider) => ({
  id,
  name: orNull(name),
  phone: orNull(phone),
  vehicle_type: orNull(vehicle_type),
})

const etaView = (eta: Eta) => ({
  pickup_p50_at: orNull(eta.pickup_p50_at),
  pickup_p90_at: orNull(eta.pickup_p90_at),
  dropoff_p50_at: orNull(eta.dropoff_p50_at),
  dropoff_p90_at: orNull(eta.dropoff_p90_at),
})

/** An order as its merchant sees it; the unified record passes through unread. */
export function orderView(order: Order): Record<string, unknown> {
  return {
    id: order.id,
    merchant_id: order.merchant_id,
    source: order.source,
    external_order_id: order.external_order_id,
    status: order.status,
    unified_json: new RawJson(order.unified_json),
    tracking_token: orNull(order.tracking_token),
    is_test: order.is_test,
    vehicle_type_source: orNull(order.vehicle_type_source),
    customer_tracking_url: orNull(order.customer_tracking_url),
    rider: order.rider && riderView(order.rider),
    fee_minor: orNull(order.fee_minor),
    currency: orNull(order.currency),
    quote_id: orNull(order.quote_id),
    eta: order.eta ? etaView(order.eta) : null,
    cancelled_at: orNull(order.cancelled_at),
    created_at: order.created_at,
    updated_at: order.updated_at,
  }
}

const geo = (point: Point | undefined) => (point ? { type: 'Point', coordinates: [point.lng, point.lat] } : null)

/** A row of a list; without points where the list was filtered by what only the unified record holds. */
export function orderRowView(order: Order, withPoints: boolean): Record<string, unknown> {
  const row = orderView(order)
  row['isTest'] = order.is_test
  row['pickup_geo'] = withPoints ? geo(order.pickup) : null
  row['dropoff_geo'] = withPoints ? geo(order.dropoff) : null
  return row
}
