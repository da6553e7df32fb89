import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const shipment = {
  id,
  status: 'dispatching',
  is_test: true,
  source: 'bulk_json',
  total_orders: 2,
  estimated_fee_minor: 250_000,
  currency: 'NGN',
  pickup: { address: '12 Marina Road, Lagos', point: { lat: 6.4541, lng: 3.3947 } },
  rate_card: { id, name: 'Lagos', currency: 'NGN' },
  counts: { draft: 0, pending: 0, accepted: 1, picked_up: 0, in_transit: 0, delivered: 1, cancelled: 0, other: 0 },
  created_at: at,
  submitted_at: at,
  hold_minor: 250_000,
}

export const shipmentReplies = {
  stageShipmentRows: {},
  createShipment: {
    shipment_id: id,
    total_orders: 2,
    estimated_fee_minor: 250_000,
    currency: 'NGN',
    replayed: false,
  },
  uploadShipment: {
    shipment_id: id,
    total_orders: 1,
    estimated_fee_minor: 125_000,
    currency: 'NGN',
    rows_parsed: 2,
    rows_failed: 1,
    errors: [{ row: 2, field: 'recipient_phone', message: 'recipient_phone is required.' }],
    replayed: false,
  },
  getShipment: { shipment, child_order_count: 2 },
  listShipments: { shipments: [{ ...shipment, status: 'completed', completed_at: at, counts: undefined }], ...page },
  submitShipment: {
    shipment_id: id,
    status: 'submitted',
    total_orders: 2,
    hold_minor: 250_000,
    submitted_at: at,
    already_submitted: true,
  },
  cancelShipment: {
    shipment: { ...shipment, status: 'cancelled', submitted_at: undefined, cancelled_at: at, counts: undefined },
    already_cancelled: true,
  },
} satisfies Partial<RpcReplies>
