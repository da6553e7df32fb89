import type { EVENTS, PING } from './event-names.ts'

const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'
const at = '2026-11-21T10:15:30.000Z'

const unified = {
  schema_version: '1',
  payment_verified: false,
  raw_payload: { cart: 42 },
  standardized: {
    pickup_address: '12 Marina Road, Lagos',
    dropoff_address: '4 Admiralty Way, Lekki',
    customer_name: 'Adaeze Okoro',
    customer_phone: '+2348012345678',
    scheduled_pickup_at: at,
    delivery_window_start: at,
    delivery_window_end: at,
  },
}

const envelope = {
  delivery_id: '0198f0a2-6b02-7d10-a1de-6f2f0f8f0c11',
  event_id: '3e0f5cf4-2b8d-5a0e-9a53-1c9b2f0f4a05',
  occurred_at: at,
  api_version: 'v1',
  merchant_id: id,
}

const rider = { id, name: 'Ada', phone: '+2348012345678', vehicle_type: 'car' }

/** An event of an order that has this status by now, with what only this event tells. */
const ofOrder = (event: string, sequence: number, status: string, told: object = {}) => ({
  ...envelope,
  event,
  sequence,
  ...told,
  order: {
    id,
    merchant_id: id,
    source: 'api',
    external_order_id: 'o-1',
    is_test: true,
    status,
    tracking_token: 'AAAAAAAAAAAAAAAAAAAAAA',
    customer_tracking_url: 'https://track.example/AAAAAAAAAAAAAAAAAAAAAA',
    cancelled_at: null,
    created_at: at,
    updated_at: at,
    unified_json: { ...unified, status },
  },
})

const ofWithdrawal = (status: string, sequence: number, told: object = {}) => ({
  ...envelope,
  event: `withdrawal.${status}`,
  sequence,
  is_test: false,
  withdrawal: {
    id,
    owner_type: 'merchant',
    owner_id: id,
    amount_minor: 250_000,
    currency: 'NGN',
    status: status === 'requested' ? 'pending_review' : status,
    payout_instrument_id: id,
    account_last4: '6789',
    bank_code: '058',
    failure_reason: null,
    reviewed_by: null,
    reviewed_at: null,
    paid_at: null,
    provider_reference: null,
    created_at: at,
    ...told,
  },
})

const reviewed = { reviewed_by: id, reviewed_at: at }
const sentOut = { ...reviewed, provider_reference: `wd_${id}_1` }

/** What is posted to a merchant, by event: each body as its schema has it. */
export const WEBHOOK_SAMPLES: Record<(typeof EVENTS)[number] | typeof PING, object> = {
  'order.created': ofOrder('order.created', 1, 'pending'),
  'order.rider_assigned': ofOrder('order.rider_assigned', 2, 'pending', { rider, previous_rider_id: id }),
  'order.accepted': ofOrder('order.accepted', 3, 'accepted', { rider }),
  'order.status_updated': ofOrder('order.status_updated', 4, 'accepted', {
    previous_status: 'pending',
    status: 'accepted',
    rider,
  }),
  'order.rider_arrived_pickup': ofOrder('order.rider_arrived_pickup', 5, 'accepted', { rider }),
  'order.picked_up': ofOrder('order.picked_up', 6, 'picked_up', { rider }),
  'order.eta_changed': ofOrder('order.eta_changed', 8, 'picked_up', {
    rider,
    eta: { pickup_p50_at: null, pickup_p90_at: null, dropoff_p50_at: at, dropoff_p90_at: at },
  }),
  'order.rider_arrived_dropoff': ofOrder('order.rider_arrived_dropoff', 9, 'picked_up', { rider }),
  'order.delivered': ofOrder('order.delivered', 10, 'delivered', { rider }),
  'dispatch.delayed': ofOrder('dispatch.delayed', 2, 'pending'),
  'dispatch.exhausted': ofOrder('dispatch.exhausted', 3, 'pending'),
  'withdrawal.requested': ofWithdrawal('requested', 1),
  'withdrawal.approved': ofWithdrawal('approved', 2, reviewed),
  'withdrawal.processing': ofWithdrawal('processing', 3, sentOut),
  'withdrawal.paid': ofWithdrawal('paid', 4, { ...sentOut, paid_at: at }),
  'withdrawal.failed': ofWithdrawal('failed', 4, { ...sentOut, failure_reason: 'The bank refused it' }),
  'withdrawal.rejected': ofWithdrawal('rejected', 2, { ...reviewed, failure_reason: 'unclear' }),
  'withdrawal.cancelled': ofWithdrawal('cancelled', 2),
  'wallet.topup_credited': {
    ...envelope,
    event: 'wallet.topup_credited',
    sequence: 1,
    is_test: false,
    topup: { reference: 'tp_1', amount_minor: 600_000, currency: 'NGN' },
  },
  'webhook.ping': { ...envelope, event: 'webhook.ping' },
}
