import { money } from './money-replies.ts'
import type { RpcReplies } from './rpc-replies.ts'

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

const attempt = { attempt: 1, at, duration_ms: 12, status_code: 200, error: 'timeout', response_snippet: 'ok' }

const delivery = {
  id,
  event_id: id,
  event: 'order.created',
  order_id: id,
  status: 'pending',
  attempts: 1,
  max_attempts: 5,
  next_attempt_at: at,
  last_status_code: 503,
  last_error: 'http_503',
  url: 'https://example.com/hooks',
  succeeded_at: at,
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
  test_url: 'https://example.com/test-hooks',
  test_secret_configured: false,
  disabled_reason: 'no_success_for_14_days',
  updated_at: at,
}

const envelope = {
  event: 'order.created',
  event_id: id,
  occurred_at: at,
  merchant_id: id,
  api_version: 'v1',
  sequence: 1,
  order: { ...order, unified_json: unified, pickup: undefined, version: undefined, rider: undefined, eta: undefined },
}

export const merchant = {
  id,
  name: 'Kitchen',
  slug: 'kitchen',
  email: 'owner@example.com',
  phone: '+2348012345678',
  merchant_tier: 'pay_as_you_go',
  billing_status: 'active',
  billing_period_end: at,
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
  billing_included_allowance: 100,
  billing_overage_fee_minor: 2_500,
  kyb_notes: 'seen',
  kyb_reference: 'kyb-1',
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
  last_used_at: at,
  revoked_at: at,
}

const grant = {
  id,
  grantor_merchant_id: id,
  grantee_merchant_id: id,
  scopes: ['orders:read'],
  is_test: true,
  status: 'active',
  created_at: at,
  revoked_at: at,
}

const tokens = {
  access_token: 'a',
  refresh_token: 'r',
  expires_in: 3600,
  refresh_expires_in: 2_592_000,
  scopes: ['orders:read', 'orders:write'],
  merchant_id: id,
  grantor_merchant_id: id,
  is_test: true,
}

const inquiry = {
  id,
  source: 'web_marketing',
  email: 'ada@example.com',
  name: 'Ada',
  phone: '+2348012345678',
  message: 'Hello',
  review_status: 'open',
  merchant_id: id,
  ledger_transaction_id: id,
  created_at: at,
}
const begunSignOn = { attempt: { url: 'https://login.example/authorize?state=s', secret: 's', max_age_seconds: 600 } }

const adminToken = { token: { access_token: 'a', expires_in: 3600, permissions: ['admin.orders.read'] } }
const customRole = { id, label: 'Support', permission_keys: ['admin.orders.read'], created_at: at, updated_at: at }

const identity = {
  id,
  email: 'operator@example.com',
  role: 'administrator',
  permissions: [],
  created_at: at,
  last_login_at: at,
  custom_role_id: id,
}
const actions = ['accept', 'pickup', 'deliver']

const rider = {
  id,
  rider_type: 'merchant_fleet',
  merchant_id: id,
  name: 'Ada Obi',
  phone: '+2348012345678',
  phone_verified_at: at,
  vehicle_type: 'car',
  kyc_status: 'approved',
  is_online: true,
  last_location: { point: { lat: 6.45, lng: 3.39 }, recorded_at: at },
  created_at: at,
  updated_at: at,
  version: 3,
  city: 'Lagos',
}
const riderMerchant = { id, name: 'Kitchen', slug: 'kitchen' }
const otp = { expires_in: 600, cooldown_seconds: 60, resend_at: at }
const riderTokens = { access_token: 'a', expires_in: 43_200, rider_id: id, is_sandbox: true, merchant_id: id }
const inviteCode = { id, code: 'ABCD2345', expires_at: at, created_at: at }

const sosAlert = {
  id,
  rider_id: id,
  merchant_id: id,
  point: { lat: 6.45, lng: 3.39 },
  note: 'a flat tyre',
  created_at: at,
}

const near = {
  rider_id: id,
  name: 'Ada Obi',
  phone: '+2348012345678',
  vehicle_type: 'car',
  lat: 6.45,
  lng: 3.39,
  distance_m: 812.5,
  is_online: true,
  location_age_seconds: 4,
}

const offer = {
  id,
  order_id: id,
  rider_id: id,
  status: 'pending',
  round: 1,
  rank: 2,
  score_m: 1312.5,
  distance_m: 812.5,
  score_parts: { distance_m: 812.5, load_penalty_m: 500 },
  payout_minor: 90_000,
  currency: 'NGN',
  pickup: { address: '1 Broad Street', point: { lat: 6.45, lng: 3.39 } },
  dropoff: { address: '2 Broad Street' },
  expires_at: at,
  created_at: at,
}

const round = {
  round: 1,
  radius_m: 3000,
  started_at: at,
  candidates: [
    { rider_id: id, included: true, rank: 1, distance_m: 5, score_m: 5, score_parts: offer.score_parts },
    { rider_id: id, included: false, reason: 'offline' },
  ],
  offers: [offer],
}

const location = {
  rider_id: id,
  merchant_id: id,
  lat: 6.45,
  lng: 3.39,
  accuracy_m: 4,
  heading_deg: 90,
  speed_mps: 8,
  recorded_at: at,
  received_at: at,
  active_order_ids: [id],
  is_test: true,
  seq: 9,
}

const area = {
  type: 'Polygon',
  coordinates: [
    [
      [3, 6],
      [4, 6],
      [4, 7],
      [3, 6],
    ],
  ],
}
const zone = {
  id,
  merchant_id: id,
  name: 'Island',
  active: true,
  priority: 1,
  geometry_json: JSON.stringify(area),
  created_at: at,
}
const place = { id, name: 'Island' }
const coveredPoint = {
  point: 'point',
  lat: 6.45,
  lng: 3.39,
  covered: true,
  zone: place,
  platform_geofence: place,
  reason: 'outside_zones',
}

const schedule = {
  timezone: 'Africa/Lagos',
  windows: [{ days: ['mon'], start: '08:00', end: '20:00' }],
  closed_dates: ['2026-12-25'],
}

const rateCard = {
  id,
  version: 2,
  name: 'Lagos',
  merchant_id: id,
  currency: 'NGN',
  vehicle_type: 'car',
  active: true,
  base_minor: 50_000,
  per_km_minor: 10_000,
  per_kg_minor: 0,
  fragile_minor: 0,
  minimum_minor: 80_000,
  surge_percent: 0,
  vat_percent: 8,
  created_at: at,
  updated_at: at,
}

const fare = {
  currency: 'NGN',
  fee_minor: 125_000,
  breakdown: [{ code: 'base', label: 'Base fare', amount_minor: 125_000 }],
  distance_m: 5000,
  duration_s: 900,
  distance_source: 'geodesic',
  vehicle_type: 'motorcycle',
  rate_card_id: id,
  rate_card_name: 'Lagos',
  rate_card_version: 2,
}

const auditLog = {
  id,
  seq: 7,
  at,
  actor_type: 'admin',
  actor_id: id,
  on_behalf_of: id,
  merchant_id: id,
  action: 'merchant.update',
  resource_type: 'merchant',
  resource_id: id,
  ip: '127.0.0.1',
  request_id: 'r',
  trace_id: 't',
  before_json: '{"billing_status":"active"}',
  after_json: '{"amount":12345678901234567890}',
}

/** What the upstream of a test answers, by rpc: every field that its message has and a view might let slip. */
export const replies = {
  listAuditLogs: { logs: [auditLog], ...page },
  exportAuditLogs: { logs: [auditLog], next_seq: undefined, is_truncated: true },
  createOrder: { order, idempotent: false, replayed: false },
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
  assignRider: { order, previous_rider_id: id },
  listDispatchCandidates: { candidates: [{ ...near, active_orders: 1, score_m: 1312.5 }] },
  getDispatchTrace: { order_id: id, rounds: [round] },
  listDispatchOffers: { offers: [offer] },
  acceptDispatchOffer: { offer: { ...offer, status: 'accepted', responded_at: at }, order },
  declineDispatchOffer: { offer: { ...offer, status: 'declined', responded_at: at } },
  listRiderOrders: { orders: [order], ...page },
  updateRiderOrderStatus: { order },
  declineRiderOrder: { order },
  requestPodOtp: { otp },
  verifyPodOtp: { order },
  presignPodPhoto: {
    url: 'https://store.example/p',
    headers: { 'content-type': 'image/png' },
    expires_at: at,
    storage_key: 'k',
  },
  requestRiderLogin: { otp },
  verifyRiderLogin: { tokens: { ...riderTokens, refresh_token: 'r', refresh_expires_in: 2_592_000 } },
  mintRiderToken: { tokens: riderTokens },
  getRiderAccount: { rider, merchant: riderMerchant },
  registerRider: { rider_id: id, phone_verified: false },
  redeemFleetInvite: { ok: true, rider_id: id, merchant_id: id, membership: 'active' },
  requestRiderPhoneOtp: { otp },
  verifyRiderPhoneOtp: { rider },
  setRiderOnline: { rider_id: id, is_online: true, updated_at: at },
  raiseSos: { alert: sosAlert },
  listRiders: { items: [rider], ...page },
  getRider: { rider, merchant: riderMerchant },
  updateRider: { rider },
  revokeRiderTokens: { token_version: 2 },
  listSosAlerts: { items: [sosAlert], ...page },
  listOtpSendLogs: {
    items: [
      {
        id,
        channel: 'rider_phone',
        phone_masked: '+234*****678',
        order_id: id,
        provider: 'messaging-a',
        status: 'sent',
        created_at: at,
      },
    ],
    ...page,
  },
  listInviteCodes: { items: [inviteCode], ...page },
  createInviteCode: { invite_code: inviteCode },
  revokeInviteCode: {},
  listFleetRiders: { items: [rider], ...page },
  removeFleetRider: {},
  leaveFleet: {},
  recordPositions: { accepted: 1, location },
  listPositionHistory: { items: [{ lat: 6.45, lng: 3.39, accuracy_m: 4, recorded_at: at }] },
  listRidersNear: { items: [near] },
  listLivePositions: { riders: [location] },
  getTrackedPosition: { point: { lat: 6.45, lng: 3.39 }, recorded_at: at },
  checkCoverage: {
    covered: true,
    points: [coveredPoint],
    rate_card: { id, name: 'Lagos', currency: 'NGN' },
    reason: 'outside_zones',
  },
  listDispatchZones: { zones: [zone] },
  replaceDispatchZones: { zones: [zone] },
  getDispatchSchedule: { schedule },
  replaceDispatchSchedule: { schedule },
  listPlatformGeofences: { zones: [{ ...zone, merchant_id: undefined }] },
  replacePlatformGeofences: { zones: [zone] },
  listRateCards: { items: [rateCard], ...page },
  createRateCard: { rate_card: rateCard },
  updateRateCard: { rate_card: rateCard },
  previewFare: { fare, expires_at: at },
  createQuote: {
    quote_id: id,
    fulfillment_mode: 'freelancer',
    fare,
    currency: 'NGN',
    expires_at: at,
    wallet: { balance_minor: 50_000, required_minor: 125_000, sufficient: false },
  },
  ...money,
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
    step_delay_ms: 0,
  },
  getOutboundWebhook: { webhook },
  getOutboundWebhooks: { webhooks: [webhook] },
  updateOutboundWebhook: { webhook, generated_secret: 'generated-secret-123' },
  testOutboundWebhook: { attempt, event_id: id },
  rotateOutboundWebhookSecret: { secret: 'rotated-secret-123456', previous_secret_expires_at: at },
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
  updateApiKey: { key },
  listWorkspaceGrants: { items: [grant], ...page },
  createWorkspaceGrant: { grant },
  getActiveWorkspaceGrant: { grant },
  revokeWorkspaceGrant: {},
  exchangeApiKey: { tokens },
  logIn: { tokens },
  refreshToken: { tokens },
  createContactInquiry: {},
  createCommissionDispute: { inquiry },
  listContactInquiries: { items: [inquiry], ...page },
  updateContactInquiry: { inquiry },
  getCaptureConfig: { enabled: true, package_allowlist: ['com.example.app'], public_key: 'a key' },
  changePassword: {},
  requestPasswordReset: {},
  confirmPasswordReset: {},
  resendEmailVerification: {},
  confirmEmailVerification: {},
  exchangeAdminToken: adminToken,
  logInOperator: adminToken,
  getMerchantSignOn: { available: true },
  beginMerchantSignOn: begunSignOn,
  completeMerchantSignOn: { tokens, success_url: undefined },
  beginOperatorSignOn: begunSignOn,
  completeOperatorSignOn: { ...adminToken, success_url: undefined },
  changeOperatorPassword: {},
  listIdentities: { items: [identity], ...page },
  createIdentity: { identity },
  listCustomRoles: { items: [customRole], ...page },
  createCustomRole: { custom_role: customRole },
  updateCustomRole: { custom_role: customRole },
  deleteCustomRole: {},
  assignCustomRole: { identity },
  deleteIdentity: {},
} satisfies Partial<RpcReplies>
