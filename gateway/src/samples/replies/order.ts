import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

/** The record of an order as its merchant sent it. */
export const unified = {
  schema_version: '1',
  status: 'pending',
  payment_verified: false,
  raw_payload: { cart: 42, gift_note: 'For "Mama"', lines: [{ sku: 'rice-5kg', price: 19.5, discount: null }] },
  standardized: {
    pickup_address: '12 Marina Road, Lagos',
    dropoff_address: '4 Admiralty Way, Lekki',
    customer_name: 'Adaeze Okoro',
    customer_phone: '+2348012345678',
    scheduled_pickup_at: '2026-11-21T11:15:00.000Z',
    delivery_window_start: '2026-11-21T11:45:00.000Z',
    delivery_window_end: '2026-11-21T13:15:00.000Z',
    floor: 2,
  },
}

const recorded = (status: string, more: object = {}) => ({
  status,
  unified_json: JSON.stringify({ ...unified, status, ...more }),
})

/** As it is made, and waits for a rider. */
export const placedOrder = {
  id,
  merchant_id: id,
  is_test: true,
  source: 'api',
  external_order_id: 'web-1001',
  payment_verified: false,
  ...recorded('pending'),
  tracking_token: 'k3Jt0f5mT1mJ8o2cQwHn9A',
  vehicle_type_source: 'derived',
  customer_tracking_url: 'https://track.example/k3Jt0f5mT1mJ8o2cQwHn9A',
  pickup: { lat: 6.4541, lng: 3.3947 },
  dropoff: { lat: 6.4281, lng: 3.4219 },
  created_at: at,
  updated_at: at,
  version: 1,
  assignment_version: 0,
  fee_minor: 111_387,
  currency: 'NGN',
  quote_id: id,
}

/** The same, once a rider has accepted it. */
export const order = {
  ...placedOrder,
  ...recorded('accepted'),
  rider: { id, name: 'Bola Ade', phone: '+2348031234567', vehicle_type: 'motorcycle' },
  updated_at: '2026-11-21T10:17:02.000Z',
  version: 3,
  assignment_version: 1,
  eta: {
    pickup_p50_at: '2026-11-21T11:16:00.000Z',
    pickup_p90_at: '2026-11-21T11:24:00.000Z',
    dropoff_p50_at: '2026-11-21T11:52:00.000Z',
    dropoff_p90_at: '2026-11-21T12:10:00.000Z',
  },
}

const cancelledAt = '2026-11-21T10:21:40.000Z'
const cancelledOrder = {
  ...placedOrder,
  ...recorded('cancelled', { cancellation: { reason: 'customer_cancellation_requested', cancelled_at: cancelledAt } }),
  cancelled_at: cancelledAt,
  updated_at: cancelledAt,
  version: 2,
}

const FAR = 'The drop-off is 412 m from where orders for this phone and address were handed over.'

export const orderReplies = {
  createOrder: { order: placedOrder, idempotent: false, replayed: false, warnings: [] },
  preflightOrder: {
    failures: [
      {
        error: 'billing_blocked',
        message: 'The billing status of the merchant blocks this.',
        details_json: '{"billing_status":"past_due"}',
      },
    ],
    quote: { fee_minor: 111_387, currency: 'NGN', quote_id: id, rate_card_id: id, rate_card_version: 2 },
    warnings: [FAR],
  },
  getOrder: { order },
  listOrders: { orders: [cancelledOrder, order], ...page, next_cursor: 'c' },
  updateOrder: { order },
  cancelOrder: { order: cancelledOrder, already_cancelled: true },
  trackOrder: {
    order_id: id,
    status: 'accepted',
    is_test: true,
    pickup_address: unified.standardized.pickup_address,
    dropoff_address: unified.standardized.dropoff_address,
    scheduled_pickup_at: unified.standardized.scheduled_pickup_at,
    delivery_window_start: unified.standardized.delivery_window_start,
    delivery_window_end: unified.standardized.delivery_window_end,
    rider: { first_name: 'Bola', vehicle_type: 'motorcycle' },
    rider_id: id,
    eta: { dropoff_p50_at: order.eta.dropoff_p50_at, dropoff_p90_at: order.eta.dropoff_p90_at },
    updated_at: at,
  },
  listRiderOrders: { orders: [order], ...page },
  updateRiderOrderStatus: { order },
  declineRiderOrder: { order },
} satisfies Partial<RpcReplies>
