const id = '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11'
const at = '2026-11-21T10:15:30.000Z'
const page = { total: 1, limit: 50, offset: 0 }

const unified = {
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
  pickup: { lat: 6.45, lng: 3.39 },
  rider: { id, name: 'Ada' },
  created_at: at,
  updated_at: at,
  version: 1,
}

const attempt = { attempt: 1, at, duration_ms: 12, status_code: 200 }

const delivery = {
  id,
  event_id: id,
  event: 'order.created',
  order_id: id,
  status: 'pending',
  attempts: 1,
  max_attempts: 5,
  is_test: true,
  created_at: at,
  attempts_log: [attempt],
  merchant_id: id,
}

const webhook = {
  url: 'https://example.com/hooks',
  enabled: true,
  secret_configured: true,
  events: ['order.created'],
  signature_version: 'v1',
  test_secret_configured: false,
  updated_at: at,
}

const envelope = {
  event: 'order.created',
  event_id: id,
  occurred_at: at,
  merchant_id: id,
  api_version: 'v1',
  sequence: 1,
  order: { ...order, unified_json: unified, pickup: undefined, version: undefined, rider: undefined },
}

const merchant = {
  id,
  name: 'Kitchen',
  slug: 'kitchen',
  email: 'owner@example.com',
  merchant_tier: 'pay_as_you_go',
  billing_status: 'active',
  kyb_status: 'not_submitted',
  business_approval_status: 'none',
  auto_dispatch_enabled: false,
  dispatch_mode: 'one_by_one',
  currency: 'NGN',
  timezone: 'Africa/Lagos',
  created_at: at,
  updated_at: at,
  version: 7,
  messaging_engine: 'rules',
  dispatch_batch_size: 3,
  fulfillment_mode: 'freelancer',
}

const key = {
  id,
  label: 'shop',
  prefix: 'svc_test_000000000000',
  last4: 'abcd',
  scopes: ['orders:read'],
  is_test: true,
  enterprise_tier: false,
  created_at: at,
}

const tokens = {
  access_token: 'a',
  refresh_token: 'r',
  expires_in: 3600,
  refresh_expires_in: 2_592_000,
  scopes: ['orders:read', 'orders:write'],
  merchant_id: id,
}

const adminToken = { token: { access_token: 'a', expires_in: 3600, permissions: ['admin.orders.read'] } }
const identity = { id, email: 'operator@example.com', permissions: [], created_at: at }
const actions = ['accept', 'pickup', 'deliver']

/** What the upstream of a test answers, by rpc: every field that its message has and a view might let slip. */
export const replies: Record<string, object> = {
  createOrder: { order, idempotent: false, replayed: false },
  getOrder: { order },
  listOrders: { orders: [order, order], ...page, next_cursor: 'c' },
  updateOrder: { order },
  cancelOrder: { order, already_cancelled: false },
  trackOrder: {
    status: 'accepted',
    is_test: true,
    pickup_address: 'a street',
    dropoff_address: 'b street',
    scheduled_pickup_at: at,
    rider: { first_name: 'Ada', vehicle_type: 'car' },
    updated_at: at,
  },
  createSimulatorOrder: { order, idempotent: false, simulator_rider_id: id, available_actions: actions },
  simulateRiderAction: {
    order,
    previous_status: 'pending',
    changed: true,
    out_of_sequence: false,
    simulator_rider_id: id,
    events: [{ event: 'order.accepted', event_id: id }],
    available_actions: actions,
  },
  createAutoSimulatorOrder: {
    order,
    idempotent: false,
    simulator_rider_id: id,
    timeline: [{ event: 'order.created', fires_at: at, status: 'pending', events: ['order.created'] }],
  },
  getOutboundWebhook: { webhook },
  getOutboundWebhooks: { webhooks: [webhook] },
  updateOutboundWebhook: { webhook, generated_secret: 'generated-secret-123' },
  testOutboundWebhook: { attempt, event_id: id },
  rotateOutboundWebhookSecret: { secret: 'rotated-secret-123456' },
  listDeliveries: { items: [delivery], ...page },
  retryDelivery: { delivery },
  listEvents: { envelopes_json: [JSON.stringify(envelope)], next_cursor: 'c' },
  replayEvents: { queued: 3 },
  signUpMerchant: { merchant, api_key: 'svc_test_x', key, email_verification_required: false },
  getAccount: { merchant, account_email: 'owner@example.com', email_verified: true },
  listMerchants: { items: [merchant], ...page },
  getMerchant: { merchant, kyb_payload_json: '{"director":"Ada"}' },
  updateMerchant: { merchant },
  listApiKeys: { items: [key], ...page },
  createApiKey: { key, api_key: 'svc_test_x' },
  rotateApiKey: { key, api_key: 'svc_test_x' },
  revokeApiKey: {},
  exchangeApiKey: { tokens },
  logIn: { tokens },
  refreshToken: { tokens },
  exchangeAdminToken: adminToken,
  logInOperator: adminToken,
  listIdentities: { items: [identity], ...page },
  createIdentity: { identity },
  deleteIdentity: {},
}
