import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

export const unified = {
  schema_version: '1',
  status: 'pending',
  payment_verified: false,
  raw_payload: { note: 'quoted "text" and \\ slashes', nested: { list: [1, 2.5, null] } },
  standardized: { pickup_address: '1 Broad Street', dropoff_address: '2 Broad Street', custom: 'kept' },
}

export const order = {
  id,
  merchant_id: id,
  is_test: true,
  source: 'api',
  external_order_id: 'o-1',
  status: 'pending',
  payment_verified: false,
  unified_json: JSON.stringify(unified),
  tracking_token: 'AAAAAAAAAAAAAAAAAAAAAA',
  vehicle_type_source: 'derived',
  customer_tracking_url: 'https://track.example/AAAAAAAAAAAAAAAAAAAAAA',
  pickup: { lat: 6.45, lng: 3.39 },
  dropoff: { lat: 6.5, lng: 3.4 },
  rider: { id, name: 'Ada', phone: '+2348012345678', vehicle_type: 'car' },
  cancelled_at: at,
  created_at: at,
  updated_at: at,
  version: 1,
  assignment_version: 0,
  fee_minor: 125_000,
  currency: 'NGN',
  quote_id: id,
  eta: { pickup_p50_at: at, pickup_p90_at: at, dropoff_p50_at: at, dropoff_p90_at: at },
}

export const orderReplies = {
  createOrder: { order, idempotent: false, replayed: false, warnings: ['far away'] },
  preflightOrder: {
    failures: [{ error: 'billing_blocked', message: 'no', details_json: '{"billing_status":"past_due"}' }],
    quote: { fee_minor: 125_000, currency: 'NGN', quote_id: id, rate_card_id: id, rate_card_version: 2 },
    warnings: ['far away'],
  },
  getOrder: { order },
  listOrders: { orders: [order, order], ...page, next_cursor: 'c' },
  updateOrder: { order },
  cancelOrder: { order, already_cancelled: true },
  trackOrder: {
    order_id: id,
    status: 'accepted',
    is_test: true,
    pickup_address: 'a street',
    dropoff_address: 'b street',
    scheduled_pickup_at: at,
    delivery_window_start: at,
    delivery_window_end: at,
    rider: { first_name: 'Ada', vehicle_type: 'car' },
    rider_id: id,
    eta: { dropoff_p50_at: at, dropoff_p90_at: at },
    updated_at: at,
  },
  listRiderOrders: { orders: [order], ...page },
  updateRiderOrderStatus: { order },
  declineRiderOrder: { order },
} satisfies Partial<RpcReplies>
