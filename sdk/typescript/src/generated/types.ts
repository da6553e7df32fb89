// Generated from gateway/openapi.json by `npm run generate`.

import type { Pages } from '../pages.ts'
import type { CallOptions } from '../send.ts'

export type Account = {
  id: string
  name: string
  slug: string
  email: string
  phone: string | null
  merchant_tier: string
  billing_status: string
  billing_period_end: string | null
  kyb_status: string
  business_approval_status: string
  auto_dispatch_enabled: boolean
  dispatch_mode: string
  currency: string
  timezone: string
  created_at: string
  updated_at: string
  outbound_webhook_url: string | null
  outbound_webhook_enabled: boolean
  kybStatus: string
  outboundWebhookSecretConfigured: boolean
}

export type ApiKey = {
  id: string
  label: string | null
  prefix: string
  last4: string
  scopes: Array<Scope>
  is_test: boolean
  enterprise_tier: boolean
  /** An operator has seen the key: it neither writes payout instruments nor withdraws. */
  made_by_operator: boolean
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

/** GeoJSON Polygon or MultiPolygon; longitude, then latitude */
export type Area = {
  [name: string]: unknown
}

export type Billing = {
  merchant_tier: string
  billing_status: string
  billing_period_end: string | null
  billing_compliance_hold: boolean
  billing_enforcement_enabled: boolean
  billing_entitlements_note: string
  subscription_manage_url: string | null
}

export type BillingUsage = {
  deliveries_used: number
  /** null: the tier is not hybrid. */
  included_allowance: number | null
  /** Minor currency units. */
  overage_fee_minor: number
  cycle_end: string
  usage_percent: number | null
  over_allowance: boolean
}

export type CashAccount = {
  rider_id: string
  merchant_id: string
  currency: string
  /** collected_minor - remitted_minor + adjusted_minor. */
  in_hand_minor: number
  /** Minor currency units. */
  collected_minor: number
  /** What the merchant has confirmed. */
  remitted_minor: number
  /** By operators. */
  adjusted_minor: number
  /** When the oldest of what is in hand was taken. */
  held_since: string | null
}

export type CashEntry = {
  id: string
  entry_type: 'cash_collected' | 'cash_remitted' | 'cash_adjusted'
  rider_id: string
  /** Positive: the rider has more in hand. */
  amount_minor: number
  currency: string
  order_id: string | null
  remittance_id: string | null
  description: string | null
  created_at: string
}

/** What became of the cash on delivery, as the rider said */
export type CashOnDelivery = {
  status: 'collected' | 'short' | 'refused'
  expected_minor: number
  collected_minor: number
  /** Null: the merchant's own. */
  currency: string | null
  /** Why less was paid. */
  reason: string | null
  rider_id: string
  at: string
  [name: string]: unknown
}

/** A hand-over of cash from a rider to its merchant */
export type CashRemittance = {
  id: string
  rider_id: string
  merchant_id: string
  currency: string
  status: 'declared' | 'confirmed' | 'disputed' | 'resolved' | 'withdrawn'
  /** Minor currency units. */
  declared_minor: number
  /** What the merchant has of it so far. */
  received_minor: number
  declared_by: 'rider' | 'merchant'
  note: string | null
  /** Why it is less, or disputed. */
  reason: string | null
  created_at: string
  decided_at: string | null
}

export type CashTotal = {
  currency: string
  /** What riders have and owe. */
  in_hand_minor: number
  /** Minor currency units. */
  collected_minor: number
  /** Minor currency units. */
  remitted_minor: number
  adjusted_minor: number
}

export type CreditedTopup = {
  reference: string
  /** Minor currency units. */
  amount_minor: number
  currency: string
}

export type Delivery = {
  id: string
  event_id: string
  event: string
  order_id: string | null
  status: 'pending' | 'succeeded' | 'dead'
  attempts: number
  max_attempts: number
  next_attempt_at: string | null
  last_status_code: number | null
  last_error: string | null
  url: string | null
  is_test: boolean
  created_at: string
  succeeded_at: string | null
  /** The fault of the sandbox that it met. */
  fault: string | null
  attempts_log: Array<DeliveryAttempt>
}

export type DeliveryAttempt = {
  attempt: number
  at: string
  duration_ms: number
  status_code: number | null
  error: string | null
  response_snippet: string | null
}

export type DispatchCandidate = {
  rider_id: string
  /** The first name of a rider of no own fleet and no own order. */
  name: string
  /** Null for a rider of no own fleet and no own order. */
  phone: string | null
  vehicle_type: string
  lat: number
  lng: number
  /** Metres. */
  distance_m: number
  is_online: boolean
  location_age_seconds: number
  active_orders: number
  /** Metres. */
  score_m: number
}

export type DispatchOffer = {
  id: string
  order_id: string
  rider_id: string
  status: 'pending' | 'accepted' | 'declined' | 'expired' | 'withdrawn'
  round: number
  rank: number
  /** Metres. */
  score_m: number
  /** Metres. */
  distance_m: number
  score_parts: ScoreParts
  payout_minor: number | null
  currency: string
  /** Cash that the rider is to collect at the door. */
  cod_amount_minor: number | null
  cod_currency: string | null
  pickup: Stop
  dropoff: Stop
  expires_at: string
  created_at: string
  responded_at: string | null
}

export type DispatchTrace = {
  order_id: string
  rounds: Array<{
    round: number
    radius_m: number
    started_at: string
    candidates: Array<{
      rider_id: string
      included: boolean
      rank: number | null
      reason: string | null
      distance_m: number | null
      score_m: number | null
      score_parts: ScoreParts | null
    }>
    offers: Array<DispatchOffer>
  }>
}

export type DispatchZone = {
  type: 'Feature'
  geometry: Area
  properties: {
    id: string
    name: string
    active: boolean
    priority: number
    merchant_id: string
    created_at: string
  }
}

export type EnvelopeOrder = {
  id: string
  merchant_id: string
  source: string
  external_order_id: string
  status?: string
  unified_json: UnifiedRecord
  tracking_token: string | null
  is_test?: boolean
  vehicle_type_source?: 'caller' | 'derived' | null
  customer_tracking_url?: string | null
  rider?: RiderSummary
  /** Priced at creation; null without both points. */
  fee_minor?: number | null
  currency?: string | null
  quote_id?: string | null
  eta?: Eta | null
  cancelled_at?: string | null
  created_at: string
  updated_at: string
  [name: string]: unknown
}

export type EscrowEntry = {
  id: string
  order_id: string
  entry_type: 'commission_hold' | 'commission_released'
  /** Minor currency units. */
  amount_minor: number
  currency: string
  rider_id: string | null
  created_at: string
}

/** An end that lies behind is null */
export type Eta = {
  pickup_p50_at: string | null
  pickup_p90_at: string | null
  dropoff_p50_at: string | null
  dropoff_p90_at: string | null
}

export type Event = OrderEvent | WithdrawalEvent | TopupEvent

export type EventName =
  | 'order.created'
  | 'order.status_updated'
  | 'order.rider_assigned'
  | 'order.accepted'
  | 'order.picked_up'
  | 'order.delivered'
  | 'order.rider_arrived_pickup'
  | 'order.rider_arrived_dropoff'
  | 'order.eta_changed'
  | 'dispatch.delayed'
  | 'dispatch.exhausted'
  | 'wallet.topup_credited'
  | 'withdrawal.requested'
  | 'withdrawal.approved'
  | 'withdrawal.processing'
  | 'withdrawal.paid'
  | 'withdrawal.failed'
  | 'withdrawal.rejected'
  | 'withdrawal.cancelled'

export type FareLine = {
  /** base, distance, weight, fragile, surge, minimum or vat. */
  code: string
  label: string
  amount_minor: number
}

/** GeoJSON: longitude, then latitude */
export type GeoPoint = {
  type: 'Point'
  coordinates: [number, number]
}

export type IngestionChannel = {
  channel: 'messaging-a' | 'payments-a' | 'payments-b' | 'storefront-a' | 'storefront-b' | 'email-a'
  secret_configured: boolean
  updated_at: string | null
  shop_domain: string | null
  receiver_phone: string | null
  subject_keyword: string | null
  pickup: {
    address: string
    lat: number | null
    lng: number | null
  } | null
  lead_minutes: number | null
  window_minutes: number | null
}

export type InternalQuote = {
  quote_id: string
  fulfillment_mode: 'internal_fleet'
  internal_routing: {
    fleet_riders_available: number
    suggested_rider_ids: Array<string>
    note: string
  }
  fee_minor: 0
  currency: string
  expires_at: string
}

export type InviteCode = {
  id: string
  code: string
  expires_at: string
  created_at: string
}

export type KybDocument = {
  id: string
  storage_key: string
  document_type: string
  file_name: string
  content_type: string
  size_bytes: number
  /** pending, scanning, clean, infected, failed or unavailable. */
  scan_status: string
  /** What was found, or why there is no verdict. */
  scan_detail: string | null
  added_at: string
  scanned_at: string | null
}

export type KybScanJob = {
  id: string
  /** pending, scanning, clean, infected, failed (it cannot be scanned) or unavailable (there is no scanner). */
  status: string
  /** What was found, or why there is no verdict. */
  detail: string | null
  storage_key: string
  document_type: string
  file_name: string
  content_type: string
  size_bytes: number
  created_at: string
  finished_at: string | null
}

export type LedgerEntry = {
  id: string
  wallet_id: string
  entry_type:
    | 'topup'
    | 'commission_debit'
    | 'commission_credit'
    | 'commission_hold'
    | 'commission_released'
    | 'shipment_hold'
    | 'shipment_release'
    | 'withdrawal_reserve'
    | 'withdrawal_reversal'
    | 'withdrawal_paid'
    | 'subscription'
    | 'refund'
    | 'adjustment'
  direction: 'credit' | 'debit'
  /** Minor currency units. */
  amount_minor: number
  currency: string
  /** Available after this entry. */
  balance_after_minor: number
  order_id: string | null
  shipment_id: string | null
  withdrawal_id: string | null
  reference: string | null
  description: string | null
  created_at: string
}

export type Location = {
  rider_id: string
  lat: number
  lng: number
  accuracy_m: number | null
  heading_deg: number | null
  speed_mps: number | null
  recorded_at: string
  received_at: string
}

export type MessagingAppAsset = {
  /** Of the business account. */
  waba_id: string
  phone_number_id: string
  display_phone_number: string | null
  verified_name: string | null
}

export type MessagingAppCandidates = {
  candidates: Array<MessagingAppAsset>
  signup_id: string | null
  signup_expires_at: string | null
}

export type MessagingAppSdkConfig = {
  app_id: string
  config_id: string
  api_version: string
}

export type MessagingAppStatus = {
  state: 'not_connected' | 'meta_oauth_pending' | 'connected'
  /** A signup waits for the choice of a phone number; an earlier connection stands until then. */
  meta_oauth_pending: boolean
  connection: {
    /** Of the business account. */
    waba_id: string
    phone_number_id: string
    display_phone_number: string | null
    verified_name: string | null
    connected_at: string
  } | null
  signup_id: string | null
  signup_expires_at: string | null
}

export type MintedApiKey = {
  id: string
  label: string | null
  prefix: string
  last4: string
  scopes: Array<Scope>
  is_test: boolean
  enterprise_tier: boolean
  /** An operator has seen the key: it neither writes payout instruments nor withdraws. */
  made_by_operator: boolean
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
  /** The key itself; shown this once. */
  api_key: string
}

export type NamedPlace = {
  id: string
  name: string
}

export type NearRider = {
  rider_id: string
  /** The first name of a rider of no own fleet and no own order. */
  name: string
  /** Null for a rider of no own fleet and no own order. */
  phone: string | null
  vehicle_type: string
  lat: number
  lng: number
  /** Metres. */
  distance_m: number
  is_online: boolean
  location_age_seconds: number
}

export type Order = {
  id: string
  merchant_id: string
  source: string
  external_order_id: string
  status: string
  unified_json: UnifiedRecord
  tracking_token: string | null
  is_test: boolean
  vehicle_type_source: 'caller' | 'derived' | null
  customer_tracking_url: string | null
  rider?: RiderSummary
  /** Priced at creation; null without both points. */
  fee_minor: number | null
  currency: string | null
  quote_id: string | null
  eta: Eta | null
  cancelled_at: string | null
  created_at: string
  updated_at: string
}

export type OrderEvent = {
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  occurred_at: string
  merchant_id: string
  api_version: 'v1'
  /** Counts the events of one order from 1. */
  sequence: number
  order: EnvelopeOrder
  rider?: RiderSummary
  previous_status?: string
  status?: string
  previous_rider_id?: string
  /** With order.eta_changed. */
  eta?: Eta
  [name: string]: unknown
}

export type OrderItem = {
  /** At most 200 characters. */
  name: string
  /** 1 when absent. */
  quantity?: number | null
  sku?: string | null
  unit_price_minor?: number | null
  currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  is_fragile?: boolean | null
  barcode?: string | null
  notes?: string | null
  [name: string]: unknown
}

export type OrderRow = {
  id: string
  merchant_id: string
  source: string
  external_order_id: string
  status: string
  unified_json: UnifiedRecord
  tracking_token: string | null
  is_test: boolean
  vehicle_type_source: 'caller' | 'derived' | null
  customer_tracking_url: string | null
  rider?: RiderSummary
  /** Priced at creation; null without both points. */
  fee_minor: number | null
  currency: string | null
  quote_id: string | null
  eta: Eta | null
  cancelled_at: string | null
  created_at: string
  updated_at: string
  isTest: boolean
  pickup_geo: GeoPoint | null
  dropoff_geo: GeoPoint | null
}

export type OutboundWebhook = {
  url: string | null
  enabled: boolean
  events: Array<EventName>
  signature_version: 'v1' | 'v2'
  test_url: string | null
  /** Why it was disabled by the service. */
  disabled_reason: string | null
  updated_at: string | null
  outboundWebhookSecretConfigured: boolean
  testOutboundWebhookSecretConfigured: boolean
  /** Only in the one reply after the service generated it. */
  secret?: string
}

export type PayoutInstrument = {
  id: string
  bank_code: string
  bank_name: string | null
  account_name: string | null
  account_last4: string
  is_default: boolean
  /** Until then nothing is paid out. */
  frozen_until: string | null
  created_at: string
}

export type Plan = {
  plan_code: string
  name: string
  description: string | null
  /** Minor currency units. */
  amount_minor: number
  interval: string
  currency: string
}

export type PlatformGeofence = {
  type: 'Feature'
  geometry: Area
  properties: {
    id: string
    name: string
    active: boolean
    priority: number
  }
}

export type PositionPoint = {
  /** At least -90. At most 90. */
  lat: number
  /** At least -180. At most 180. */
  lng: number
  accuracy_m?: number | null
  speed_mps?: number | null
  /** Clockwise from north. */
  heading_deg?: number | null
  /** When it is received, if absent. */
  recorded_at?: string | null
  battery_pct?: number | null
}

export type Quote = {
  quote_id: string
  fulfillment_mode: 'freelancer'
  fee_minor: number
  currency: string
  /** Adds up to the fee. */
  breakdown: Array<FareLine>
  distance_m: number
  duration_s: number
  /** geodesic or router. */
  distance_source: string
  vehicle_type: string
  expires_at: string
  wallet?: QuoteFunds
}

export type QuoteFunds = {
  /** What can be spent. */
  balance_minor: number
  /** Minor currency units. */
  required_minor: number
  sufficient: boolean
}

export type RealtimeRiderLocation = {
  rider_id: string
  merchant_id: string
  lat: number
  lng: number
  accuracy_m: number | null
  heading_deg: number | null
  speed_mps: number | null
  recorded_at: string | null
  received_at: string | null
  active_order_ids: Array<string>
  is_test: boolean
  seq: number
}

export type Rider = {
  id: string
  rider_type: 'merchant_fleet' | 'freelancer'
  merchant_id: string | null
  name: string
  phone: string
  phone_verified_at: string | null
  vehicle_type: 'motorcycle' | 'car' | 'van' | 'truck'
  kyc_status: 'pending' | 'approved' | 'rejected'
  is_online: boolean
  last_location: {
    lat: number
    lng: number
    recorded_at: string
  } | null
  created_at: string
  updated_at: string
  rating: null
}

export type RiderMerchant = {
  id: string
  name: string
  slug: string
}

export type RiderSummary = {
  id: string
  name: string | null
  phone: string | null
  vehicle_type: string | null
}

export type RiderTokens = {
  access_token: string
  /** Not beside tokens minted with a merchant's key. */
  refresh_token?: string
  /** Seconds. */
  expires_in: number
  /** Seconds. */
  refresh_expires_in?: number
  rider_id: string
  /** To which the token is bound. */
  merchant_id: string | null
  is_sandbox: boolean
  token_type: 'Bearer'
  scope: 'riders:location'
  is_test: boolean
}

export type Scope = 'orders:read' | 'orders:write' | 'keys:manage' | 'webhooks:manage' | 'riders:location'

export type ScoreParts = {
  /** Metres. */
  distance_m: number
  /** Metres. */
  load_penalty_m: number
}

export type SentCode = {
  sent: true
  /** Seconds. */
  expires_in: number
  cooldown_seconds: number
  resend_at: string
}

export type Shipment = {
  id: string
  status: string
  is_test: boolean
  source: string
  total_orders: number
  /** Minor currency units. */
  estimated_fee_minor: number
  hold_minor: number | null
  currency: string | null
  pickup: {
    address: string
    lat: number | null
    lng: number | null
  } | null
  rate_card: {
    id: string
    name: string
    currency: string
  } | null
  created_at: string
  submitted_at: string | null
  completed_at: string | null
  cancelled_at: string | null
  counts: {
    draft: number
    pending: number
    accepted: number
    picked_up: number
    in_transit: number
    delivered: number
    cancelled: number
    other: number
  } | null
}

export type ShipmentPickup = {
  /** At most 500 characters. */
  address: string
  lat?: number | null
  lng?: number | null
}

export type ShipmentRow = {
  /** At most 200 characters. */
  recipient_name: string
  /** At most 64 characters. */
  recipient_phone: string
  /** At most 500 characters. */
  dropoff_address: string
  dropoff_lat?: number | null
  dropoff_lng?: number | null
  package_description?: string | null
  external_order_id?: string | null
}

export type Standardized = {
  /** At most 500 characters. */
  pickup_address: string
  /** At most 500 characters. */
  dropoff_address: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  customer_phone: string
  /** ISO-8601 with offset or Z; in the future. Required. */
  scheduled_pickup_at: string
  /** ISO-8601 with offset or Z; before the window ends. Required. */
  delivery_window_start: string
  /** ISO-8601 with offset or Z; after the pickup. Required. */
  delivery_window_end: string
  customer_name?: string | null
  pickup_lat?: number | null
  pickup_lng?: number | null
  dropoff_lat?: number | null
  dropoff_lng?: number | null
  notes?: string | null
  cod_amount_minor?: number | null
  cod_currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  is_fragile?: boolean | null
  vehicle_type_hint?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  rider_id?: string | null
  delivery_commission_minor?: number | null
  items?: Array<OrderItem> | null
  [name: string]: unknown
}

export type Stop = {
  address: string
  lat: number | null
  lng: number | null
}

export type TokenPair = {
  access_token: string
  refresh_token: string
  /** Seconds. */
  expires_in: number
  /** Seconds. */
  refresh_expires_in: number
  merchant_id: string
  /** null: a login, which sees both environments. */
  is_test: boolean | null
  /** The merchant for which the tokens act, where not their own. */
  grantor_merchant_id: string | null
  token_type: 'Bearer'
  scope: string
}

export type TopupEvent = {
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  occurred_at: string
  merchant_id: string
  api_version: 'v1'
  /** Counts the events of one top-up from 1. */
  sequence: number
  is_test: false
  topup: CreditedTopup
  [name: string]: unknown
}

export type TopupWebhook = {
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  occurred_at: string
  merchant_id: string
  api_version: 'v1'
  /** Counts the events of one top-up from 1. */
  sequence: number
  is_test: false
  topup: CreditedTopup
  /** The delivery; constant over its retries. */
  delivery_id: string
  [name: string]: unknown
}

export type Tracking = {
  pickup: {
    text: string
  }
  dropoff: {
    text: string
  }
  status: string
  is_test: boolean
  pickup_address: string
  dropoff_address: string
  scheduled_pickup_at: string | null
  delivery_window_start: string | null
  delivery_window_end: string | null
  rider: {
    first_name: string | null
    vehicle_type: string | null
    position: {
      lat: number
      lng: number
      recorded_at: string
    } | null
  } | null
  eta: {
    p50_at: string
    p90_at: string
  } | null
  updated_at: string
  /** Connect with the tracking token in `auth.tracking_token` */
  live_updates?: {
    path: string
    transport: 'socket.io'
    event_catalog: Array<'tracking_status' | 'tracking_location'>
  }
}

export type UnifiedRecord = {
  schema_version: '1'
  status: string
  payment_verified?: boolean
  raw_payload: {
    [name: string]: unknown
  }
  standardized: {
    [name: string]: unknown
  }
  pod?: {
    [name: string]: unknown
  }
  cod?: CashOnDelivery
  [name: string]: unknown
}

export type Wallet = {
  id: string
  /** available_minor + held_minor. */
  balance_minor: number
  /** What can be spent. */
  available_minor: number
  /** What is put aside for withdrawals and commissions. */
  held_minor: number
  currency: string
  updated_at: string
}

export type WebhookEnvelope = {
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  occurred_at: string
  merchant_id: string
  api_version: 'v1'
  /** Counts the events of one order from 1. */
  sequence: number
  order: EnvelopeOrder
  rider?: RiderSummary
  previous_status?: string
  status?: string
  previous_rider_id?: string
  /** With order.eta_changed. */
  eta?: Eta
  /** The delivery; constant over its retries. */
  delivery_id: string
  [name: string]: unknown
}

export type Withdrawal = {
  id: string
  owner_type: 'merchant' | 'rider'
  owner_id: string
  /** Minor currency units. */
  amount_minor: number
  currency: string
  status: 'pending_review' | 'approved' | 'processing' | 'paid' | 'failed' | 'rejected' | 'cancelled'
  payout_instrument_id: string
  account_last4: string
  bank_code: string
  failure_reason: string | null
  reviewed_by: string | null
  reviewed_at: string | null
  paid_at: string | null
  /** Of the latest attempt to pay it out. */
  provider_reference: string | null
  created_at: string
}

export type WithdrawalEvent = {
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  occurred_at: string
  merchant_id: string
  api_version: 'v1'
  /** Counts the events of one withdrawal from 1. */
  sequence: number
  is_test: false
  withdrawal: Withdrawal
  [name: string]: unknown
}

export type WithdrawalWebhook = {
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  occurred_at: string
  merchant_id: string
  api_version: 'v1'
  /** Counts the events of one withdrawal from 1. */
  sequence: number
  is_test: false
  withdrawal: Withdrawal
  /** The delivery; constant over its retries. */
  delivery_id: string
  [name: string]: unknown
}

export type WorkspaceGrant = {
  id: string
  grantor_merchant_id: string
  grantee_merchant_id: string
  scopes: Array<Scope>
  /** true: given by a test credential, it reaches the sandbox alone. */
  is_test: boolean
  status: 'active' | 'revoked'
  created_at: string
  revoked_at: string | null
}

/** What is posted to an endpoint, told apart by `event`. */
export type WebhookEvent =
  | (WebhookEnvelope & {
      event:
        | 'order.created'
        | 'order.status_updated'
        | 'order.rider_assigned'
        | 'order.accepted'
        | 'order.picked_up'
        | 'order.delivered'
        | 'order.rider_arrived_pickup'
        | 'order.rider_arrived_dropoff'
        | 'order.eta_changed'
        | 'dispatch.delayed'
        | 'dispatch.exhausted'
    })
  | (WithdrawalWebhook & {
      event:
        | 'withdrawal.requested'
        | 'withdrawal.approved'
        | 'withdrawal.processing'
        | 'withdrawal.paid'
        | 'withdrawal.failed'
        | 'withdrawal.rejected'
        | 'withdrawal.cancelled'
    })
  | (TopupWebhook & { event: 'wallet.topup_credited' })

/** Codes of errors; the list may grow. */
export type ErrorCode =
  | 'active_order'
  | 'already_exists'
  | 'asset_selection_required'
  | 'billing_blocked'
  | 'cannot_cancel'
  | 'delivery_already_succeeded'
  | 'duplicate_order'
  | 'email_not_verified'
  | 'feature_disabled'
  | 'forbidden'
  | 'grant_exists'
  | 'idempotency_conflict'
  | 'idempotency_in_progress'
  | 'insufficient_merchant_wallet'
  | 'insufficient_wallet_for_freelancer_order'
  | 'internal_error'
  | 'invalid_delivery_window'
  | 'invalid_otp'
  | 'invalid_pickup_time'
  | 'invalid_state'
  | 'invalid_token'
  | 'invalid_transition'
  | 'invalid_webhook_url'
  | 'kyb_required'
  | 'kyc_not_approved'
  | 'limit_reached'
  | 'messaging_app_not_configured'
  | 'missing_delivery_window'
  | 'missing_pickup_time'
  | 'no_reusable_authorization'
  | 'not_found'
  | 'offer_expired'
  | 'offer_unavailable'
  | 'order_terminal'
  | 'otp_cooldown'
  | 'otp_expired'
  | 'otp_locked'
  | 'OUT_OF_COVERAGE_AREA'
  | 'outbound_sms_not_configured'
  | 'outside_coverage'
  | 'payload_too_large'
  | 'payments_not_configured'
  | 'payout_instrument_required'
  | 'phone_in_use'
  | 'pickup_outside_coverage'
  | 'pod_required'
  | 'pricing_engine_disabled'
  | 'quote_expired'
  | 'quote_mismatch'
  | 'rate_limited'
  | 'rider_not_found'
  | 'rider_unavailable'
  | 'service_unavailable'
  | 'simulator_disabled'
  | 'sos_cooldown'
  | 'sso_not_configured'
  | 'status_conflict'
  | 'test_mode_required'
  | 'test_rider_required'
  | 'token_expired'
  | 'tracking_expired'
  | 'unauthorized'
  | 'unknown_parameter'
  | 'unsupported_media_type'
  | 'uploads_not_configured'
  | 'validation_error'
  | 'wallet_insufficient'
  | 'withdrawal_frozen'
  | (string & {})

export type CreateOrderBody = {
  /** Must be 1. */
  schema_version: '1' | 1
  /** At most 64 characters. */
  source: string
  /** At most 512 characters. */
  external_order_id: string
  /** Opaque; may be empty. */
  raw_payload: {
    [name: string]: unknown
  }
  standardized: Standardized
  /** Pins the fee of an earlier quote. */
  quote_id?: string | null
}

export type CreateOrderReply = {
  order: Order
  idempotent: boolean
  /** For a person to look at; nothing is changed or refused by it. The point may be far from where orders for the same phone and address were handed over. */
  warnings: Array<string>
}

export interface ListOrdersQuery {
  limit?: number
  offset?: number
  /** next_cursor of an earlier page; replaces offset */
  cursor?: string
  source?: string
  external_order_id?: string
  is_test?: boolean
  status?: string
  payment_verified?: boolean
}

export type ListOrdersReply = {
  orders: Array<OrderRow>
  total: number
  limit: number
  offset: number
  next_cursor: string | null
}

export type PreflightOrderBody = {
  /** Must be 1. */
  schema_version: '1' | 1
  /** At most 64 characters. */
  source: string
  /** At most 512 characters. */
  external_order_id: string
  /** Opaque; may be empty. */
  raw_payload: {
    [name: string]: unknown
  }
  standardized: Standardized
  /** Pins the fee of an earlier quote. */
  quote_id?: string | null
}

export type PreflightOrderReply = {
  ok: boolean
  failures: Array<{
    error: string
    message: string
    details: {
      [name: string]: unknown
    }
  }>
  quote: {
    /** Minor currency units. */
    fee_minor: number
    currency: string
    quote_id: string | null
    rate_card_id: string
    rate_card_version: number
  } | null
  /** For a person to look at; nothing is changed or refused by it. The point may be far from where orders for the same phone and address were handed over. */
  warnings: Array<string>
}

export type GetOrderReply = {
  order: Order
}

export type UpdateOrderBody = {
  /** At most 128 characters. */
  status?: string
  payment_verified?: boolean
  /** Refused with 409 while the order has another status. At most 128 characters. */
  expected_status?: string
}

export type UpdateOrderReply = {
  order: Order
}

export type CancelOrderBody = {
  /** At most 512 characters. */
  reason: string
  /** At most 2000 characters. */
  notes?: string
}

export type CancelOrderReply = {
  order: Order
  already_cancelled?: true
}

export type AssignRiderBody = {
  /** null: nobody. */
  rider_id: string | null
}

export type AssignRiderReply = {
  order: Order
  previous_rider_id: string | null
}

export interface ListDispatchCandidatesQuery {
  lat: number
  lng: number
  metres?: number
  limit?: number
}

export type ListDispatchCandidatesReply = {
  order_id: string
  lat: number
  lng: number
  metres: number
  limit: number
  candidates: Array<DispatchCandidate>
}

export type GetDispatchTraceReply = DispatchTrace

export interface ListShipmentsQuery {
  limit?: number
  offset?: number
  status?: 'draft' | 'submitted' | 'dispatching' | 'completed' | 'cancelled'
}

export type ListShipmentsReply = {
  items: Array<Shipment>
  total: number
  limit: number
  offset: number
}

export type CreateShipmentBody = {
  /** A draft may lack it; submitting takes it. */
  pickup?: ShipmentPickup | null
  orders: Array<ShipmentRow>
  /** ISO-8601 with offset or Z. An hour after the submit unless given, or when dispatch is open next. */
  scheduled_pickup_at?: string | null
  /** ISO-8601 with offset or Z. The pickup unless given. */
  delivery_window_start?: string | null
  /** ISO-8601 with offset or Z. Eight hours after the pickup unless given. */
  delivery_window_end?: string | null
}

export type CreateShipmentReply = {
  shipment_id: string
  total_orders: number
  /** Minor currency units. */
  estimated_fee_minor: number
  currency: string | null
}

export type UploadShipmentReply = {
  shipment_id: string
  total_orders: number
  /** Minor currency units. */
  estimated_fee_minor: number
  currency: string | null
  rows_parsed: number
  rows_failed: number
  errors: Array<{
    row: number
    field: string
    message: string
  }>
}

export type GetShipmentReply = {
  shipment: Shipment
  child_order_count: number
}

export type SubmitShipmentReply = {
  shipment_id: string
  status: string
  total_orders: number
  /** Minor currency units. */
  hold_minor: number
  submitted_at: string
  already_submitted?: true
}

export type CancelShipmentReply = {
  shipment: Shipment
  already_cancelled?: true
}

export type CreateSimulatorOrderBody = {
  /** At most 512 characters. */
  external_order_id: string
  /** At most 500 characters. */
  pickup_address: string
  /** At most 500 characters. */
  dropoff_address: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  customer_phone: string
  /** 15 minutes from now when absent. */
  scheduled_pickup_at?: string
  /** 15 minutes from now when absent. */
  delivery_window_start?: string
  /** 2 hours from now when absent. */
  delivery_window_end?: string
  customer_name?: string | null
  pickup_lat?: number | null
  pickup_lng?: number | null
  dropoff_lat?: number | null
  dropoff_lng?: number | null
  notes?: string | null
  cod_amount_minor?: number | null
  cod_currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  is_fragile?: boolean | null
  vehicle_type_hint?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  rider_id?: string | null
  delivery_commission_minor?: number | null
  items?: Array<OrderItem> | null
  /** false mutes the webhook of order.created. true unless given. */
  emit_webhooks?: boolean
  [name: string]: unknown
}

export type CreateSimulatorOrderReply = {
  ok: true
  order_id: string
  is_test: true
  simulator_rider_id: string
  order: Order
  idempotent: boolean
  available_actions: Array<'accept' | 'pickup' | 'deliver'>
  message: string
}

export type SimulateRiderActionBody = {
  /** At most 64 characters. */
  order_id: string
  action: 'accept' | 'pickup' | 'deliver'
  /** Refuses actions out of sequence with 409. false unless given. */
  strict?: boolean
}

export type SimulateRiderActionReply = {
  ok: true
  order_id: string
  is_test: true
  simulator_rider_id: string
  order: Order
  action: 'accept' | 'pickup' | 'deliver'
  previous_status: string
  status: string
  changed: boolean
  out_of_sequence: boolean
  events: Array<{
    event: string
    event_id: string
  }>
  available_actions: Array<'accept' | 'pickup' | 'deliver'>
}

export type CreateAutoSimulatorOrderBody = {
  /** At most 512 characters. */
  external_order_id: string
  /** At most 500 characters. */
  pickup_address: string
  /** At most 500 characters. */
  dropoff_address: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  customer_phone: string
  /** 15 minutes from now when absent. */
  scheduled_pickup_at?: string
  /** 15 minutes from now when absent. */
  delivery_window_start?: string
  /** 2 hours from now when absent. */
  delivery_window_end?: string
  customer_name?: string | null
  pickup_lat?: number | null
  pickup_lng?: number | null
  dropoff_lat?: number | null
  dropoff_lng?: number | null
  notes?: string | null
  cod_amount_minor?: number | null
  cod_currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  is_fragile?: boolean | null
  vehicle_type_hint?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  rider_id?: string | null
  delivery_commission_minor?: number | null
  items?: Array<OrderItem> | null
  /** false mutes the webhook of order.created. true unless given. */
  emit_webhooks?: boolean
  /** 0 fires everything at once. At least 0. At most 600000. 3000 unless given. */
  step_delay_ms?: number
  [name: string]: unknown
}

export type CreateAutoSimulatorOrderReply = {
  ok: true
  order_id: string
  is_test: true
  simulator_rider_id: string
  order: Order
  idempotent: boolean
  auto_progress: boolean
  step_delay_ms: number
  timeline: Array<{
    event: string
    fires_at: string
    status: string
    events: Array<string>
  }>
  message: string
}

export type StartScenarioBody = {
  /** At most 64 characters. */
  order_id: string
  scenario:
    | 'accept'
    | 'decline'
    | 'offer_expire'
    | 'no_rider'
    | 'gps_route'
    | 'otp_wrong'
    | 'cancel_after_pickup'
    | 'cod_refused'
    | 'lost'
  /** Between two steps. At least 0. At most 600000. 3000 unless given. */
  step_delay_ms?: number
}

export type StartScenarioReply = {
  ok: true
  order_id: string
  is_test: true
  scenario:
    | 'accept'
    | 'decline'
    | 'offer_expire'
    | 'no_rider'
    | 'gps_route'
    | 'otp_wrong'
    | 'cancel_after_pickup'
    | 'cod_refused'
    | 'lost'
  state: 'running' | 'completed' | 'stopped'
  step_delay_ms: number
  simulator_rider_id: string
  steps: Array<{
    step: string
    fires_at: string
    state: 'pending' | 'done' | 'failed' | 'skipped'
    ended_at: string | null
    /** The code of the error that refused the step. */
    error: string | null
  }>
  idempotent: boolean
}

export type GetScenarioReply = {
  ok: true
  order_id: string
  is_test: true
  scenario:
    | 'accept'
    | 'decline'
    | 'offer_expire'
    | 'no_rider'
    | 'gps_route'
    | 'otp_wrong'
    | 'cancel_after_pickup'
    | 'cod_refused'
    | 'lost'
  state: 'running' | 'completed' | 'stopped'
  step_delay_ms: number
  simulator_rider_id: string
  steps: Array<{
    step: string
    fires_at: string
    state: 'pending' | 'done' | 'failed' | 'skipped'
    ended_at: string | null
    /** The code of the error that refused the step. */
    error: string | null
  }>
}

export type SetTestWalletBody = {
  /** Minor currency units. At least 0. At most 9007199254740991. */
  balance_minor: number
}

export type SetTestWalletReply = {
  wallet: Wallet
}

export type AdvanceClockBody = {
  /** At least 1. At most 2592000. */
  seconds: number
}

export type AdvanceClockReply = {
  /** What the clock of the sandbox shows. */
  now: string
}

export type PutWebhookFaultsBody = {
  faults: Array<{
    kind: 'drop' | 'delay' | 'duplicate' | 'reorder'
    /** Of these events alone; none: of each. [] unless given. */
    events?: Array<string>
    /** Deliveries that meet it. At least 1. At most 1000. 1 unless given. */
    count?: number
    /** delay: so much later; reorder: so much later, or once another delivery has overtaken it. At least 0. At most 600000. 5000 unless given. */
    delay_ms?: number
  }>
}

export type PutWebhookFaultsReply = {
  faults: Array<{
    kind: 'drop' | 'delay' | 'duplicate' | 'reorder'
    events: Array<string>
    count: number
    delay_ms: number
    /** Deliveries that have still to meet it. */
    remaining: number
  }>
}

export type GetWebhookFaultsReply = {
  faults: Array<{
    kind: 'drop' | 'delay' | 'duplicate' | 'reorder'
    events: Array<string>
    count: number
    delay_ms: number
    /** Deliveries that have still to meet it. */
    remaining: number
  }>
}

export type GetOutboundWebhookReply = OutboundWebhook

export type UpdateOutboundWebhookBody = {
  /** Public https address of at most 2048 characters, or null. */
  url?: string | null
  enabled?: boolean
  /** Signing secret; null clears it. */
  secret?: string | null
  /** Another name of secret. */
  outbound_webhook_secret?: string | null
  events?: Array<EventName>
  signature_version?: 'v1' | 'v2'
  /** The url of the sandbox endpoint. */
  test_url?: string | null
  /** The secret of the sandbox endpoint. */
  test_secret?: string | null
}

export type UpdateOutboundWebhookReply = OutboundWebhook

export type TestOutboundWebhookReply = {
  ok: boolean
  event_id: string
  attempt: DeliveryAttempt
}

export type RotateOutboundWebhookSecretReply = {
  secret: string
  previous_secret_expires_at: string | null
}

export type ReplayEventsBody = {
  /** At most 64 characters. */
  since: string
  /** At most 64 characters. */
  until?: string
  events?: Array<EventName>
  status?: 'pending' | 'succeeded' | 'dead'
}

export type ReplayEventsReply = {
  queued: number
}

export interface ListDeliveriesQuery {
  limit?: number
  offset?: number
  order_id?: string
  status?: 'pending' | 'succeeded' | 'dead'
  event?: string
}

export type ListDeliveriesReply = {
  items: Array<Delivery>
  total: number
  limit: number
  offset: number
}

export type RetryDeliveryReply = {
  ok: true
  delivery: Delivery
}

export interface ListEventsQuery {
  limit?: number
  /** next_cursor of an earlier page */
  after?: string
  order_id?: string
}

export type ListEventsReply = {
  events: Array<Event>
  next_cursor: string | null
}

export type TrackOrderReply = Tracking

export type PublicTrackOrderReply = Tracking

export interface CheckCoverageQuery {
  lat?: number
  lng?: number
  pickup_lat?: number
  pickup_lng?: number
  dropoff_lat?: number
  dropoff_lng?: number
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck'
}

export type CheckCoverageReply = {
  covered: boolean
  points: Array<{
    point: 'pickup' | 'dropoff' | 'point'
    lat: number
    lng: number
    covered: boolean
    zone: NamedPlace | null
    platform_geofence: NamedPlace | null
    reason: string | null
  }>
  rate_card: {
    id: string
    name: string
    currency: string
  } | null
  /** outside_zones or no_rate_card. */
  reason: string | null
}

export interface PreviewFareQuery {
  pickup_lat: number
  pickup_lng: number
  dropoff_lat: number
  dropoff_lng: number
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck'
  weight_kg?: number
  is_fragile?: boolean
}

export type PreviewFareReply = {
  covered: true
  fare_minor: number
  currency: string
  /** Adds up to the fee. */
  breakdown: Array<FareLine>
  distance_m: number
  duration_s: number
  /** geodesic or router. */
  distance_source: string
  vehicle_type: string
  expires_at: string
  rate_card: {
    name: string
    version: number
  }
}

export type CreateQuoteBody = {
  /** "freelancer" unless given. */
  fulfillment_mode?: 'freelancer' | 'internal_fleet'
  pickup_lat?: number | null
  pickup_lng?: number | null
  dropoff_lat?: number | null
  dropoff_lng?: number | null
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  is_fragile?: boolean | null
  scheduled_pickup_at?: string | null
  cod_amount_minor?: number | null
}

export type CreateQuoteReply = Quote | InternalQuote

export interface ListRidersNearQuery {
  lat: number
  lng: number
  metres?: number
  limit?: number
  online_only?: boolean
}

export type ListRidersNearReply = {
  items: Array<NearRider>
  lat: number
  lng: number
  metres: number
  limit: number
}

export interface ListPositionHistoryQuery {
  limit?: number
  since?: string
  until?: string
  order?: 'asc' | 'desc'
}

export type ListPositionHistoryReply = {
  rider_id: string
  items: Array<{
    lat: number
    lng: number
    accuracy_m: number | null
    recorded_at: string
  }>
  limit: number
  order: 'asc' | 'desc'
  since: string | null
  until: string | null
}

export type ListPlatformGeofencesReply = {
  items: Array<PlatformGeofence>
}

export type ListDispatchZonesReply = {
  type: 'FeatureCollection'
  features: Array<DispatchZone>
}

export type ListLivePositionsReply = {
  enabled: boolean
  transport: 'socket.io'
  url: string | null
  path: string
  namespace: '/'
  room: string
  auth_field: 'merchant_access_token'
  events: Array<'rider_location' | 'rider_locations_snapshot' | 'rider_online_status'>
  initial_positions: Array<RealtimeRiderLocation>
}

export interface ListInviteCodesQuery {
  limit?: number
  offset?: number
}

export type ListInviteCodesReply = {
  items: Array<InviteCode>
  total: number
  limit: number
  offset: number
}

export type CreateInviteCodeBody = {
  /** 72 when absent. */
  expires_in_hours?: number | null
}

export type CreateInviteCodeReply = InviteCode

export type RevokeInviteCodeReply = {
  ok: true
}

export interface ListFleetRidersQuery {
  limit?: number
  offset?: number
}

export type ListFleetRidersReply = {
  items: Array<Rider>
  total: number
  limit: number
  offset: number
}

export type RemoveFleetRiderReply = {
  ok: true
}

export interface GetWalletQuery {
  limit?: number
  offset?: number
}

export type GetWalletReply = {
  wallet: Wallet
  ledger_transactions: Array<LedgerEntry>
  total: number
  limit: number
  offset: number
}

export type CreateTopupIntentBody = {
  /** Minor currency units. At least -9007199254740991. At most 9007199254740991. */
  amount_minor: number
  /** https. */
  callback_url?: string | null
}

export type CreateTopupIntentReply = {
  reference: string
  /** Where the payer pays. */
  authorization_url: string
  access_code: string
  /** Minor currency units. */
  amount_minor: number
  idempotent_replay: boolean
}

export interface ListEscrowLedgerQuery {
  limit?: number
  offset?: number
  order_id?: string
  entry_type?: 'commission_hold' | 'commission_released'
}

export type ListEscrowLedgerReply = {
  items: Array<EscrowEntry>
  total: number
  limit: number
  offset: number
}

export interface GetCashStatementQuery {
  limit?: number
  offset?: number
  rider_id?: string
  since?: string
  /** Before then */
  until?: string
}

export type GetCashStatementReply = {
  items: Array<CashEntry>
  total: number
  limit: number
  offset: number
  /** Of all time, by currency. */
  totals: Array<CashTotal>
}

export interface ListCashAccountsQuery {
  limit?: number
  offset?: number
  rider_id?: string
}

export type ListCashAccountsReply = {
  items: Array<CashAccount>
  total: number
  limit: number
  offset: number
}

export interface ListRemittancesQuery {
  limit?: number
  offset?: number
  rider_id?: string
  status?: 'declared' | 'confirmed' | 'disputed' | 'resolved' | 'withdrawn'
}

export type ListRemittancesReply = {
  items: Array<CashRemittance>
  total: number
  limit: number
  offset: number
}

export type DeclareRemittanceBody = {
  /** At most 64 characters. */
  rider_id: string
  /** Minor currency units. At least 1. At most 9007199254740991. */
  amount_minor: number
  /** The merchant's own when absent. */
  currency?: string | null
  note?: string | null
}

export type DeclareRemittanceReply = {
  remittance: CashRemittance
}

export type ConfirmRemittanceBody = {
  /** All of it when absent; nothing at all is a dispute. */
  received_minor?: number | null
  /** Required where it is less. */
  reason?: string | null
}

export type ConfirmRemittanceReply = {
  remittance: CashRemittance
}

export type DisputeRemittanceBody = {
  /** At most 500 characters. */
  reason: string
}

export type DisputeRemittanceReply = {
  remittance: CashRemittance
}

export type CreateCommissionDisputeBody = {
  /** As in the entries of GET /v1/me/wallet. At most 64 characters. */
  ledger_transaction_id: string
  /** At most 4000 characters. */
  message: string
}

export type CreateCommissionDisputeReply = {
  ok: true
  inquiry: {
    id: string
    ledger_transaction_id: string
    review_status: 'open' | 'reviewed' | 'archived'
    created_at: string
  }
}

export type ListPayoutInstrumentsReply = {
  items: Array<PayoutInstrument>
}

export type CreatePayoutInstrumentBody = {
  /** At most 64 characters. */
  bank_code: string
  /** At most 64 characters. */
  account_number: string
  /** As the bank knows the account when absent. */
  account_name?: string | null
  is_default?: boolean | null
}

export type CreatePayoutInstrumentReply = PayoutInstrument

export type SetDefaultPayoutInstrumentBody = {
  is_default: true
}

export type SetDefaultPayoutInstrumentReply = PayoutInstrument

export interface ListWithdrawalsQuery {
  limit?: number
  offset?: number
}

export type ListWithdrawalsReply = {
  withdrawal_requests: Array<Withdrawal>
  total: number
  limit: number
  offset: number
  /** The least that can be asked for. */
  min_amount_minor: number
}

export type RequestWithdrawalBody = {
  /** Minor currency units. At least -9007199254740991. At most 9007199254740991. */
  amount_minor: number
  /** The default when absent. */
  payout_instrument_id?: string | null
}

export type RequestWithdrawalReply = {
  withdrawal: Withdrawal
}

export type CancelWithdrawalReply = {
  withdrawal: Withdrawal
}

export type GetBillingReply = Billing

export type ListPlansReply = {
  items: Array<Plan>
}

export type CreateSubscriptionIntentBody = {
  /** At most 100 characters. */
  plan_code: string
  /** https. */
  callback_url?: string | null
}

export type CreateSubscriptionIntentReply = {
  reference: string
  /** Where the payer pays. */
  authorization_url: string
  access_code: string
  /** Minor currency units. */
  amount_minor: number
  idempotent_replay: false
}

export type CreateSubscriptionBody = {
  /** At most 100 characters. */
  plan_code: string
  /** The newest that can be used again when absent. */
  authorization?: string | null
}

export type CreateSubscriptionReply = {
  subscription_code: string
  plan_code: string
  status: string
  next_payment_at: string | null
}

export type GetBillingUsageReply = BillingUsage

export type GetChannelSettingsReply = IngestionChannel

export type PutChannelSettingsBody = {
  /** Signs the hooks; never shown. null clears it. */
  secret?: string | null
  /** By which hooks name the shop, without scheme; whose it is, the secret proves. */
  shop_domain?: string | null
  /** To which messages must have come. */
  receiver_phone?: string | null
  /** Makes an e-mail an order. */
  subject_keyword?: string | null
  /** Where orders of the channel are collected. */
  pickup?: {
    /** At most 500 characters. */
    address: string
    lat?: number | null
    lng?: number | null
  } | null
  /** From the hook to the pickup; 60 unless set. */
  lead_minutes?: number | null
  /** From the pickup to the end of the delivery window; 180 unless set. */
  window_minutes?: number | null
}

export type PutChannelSettingsReply = IngestionChannel

export type GetCloudStatusReply = MessagingAppStatus

export type GetCloudSdkConfigReply = MessagingAppSdkConfig

export type ListCloudCandidatesReply = MessagingAppCandidates

export type ExchangeCloudTokenBody = {
  /** Of the finished signup; good once. At most 2048 characters. */
  code: string
  waba_id?: string | null
  phone_number_id?: string | null
}

export type ExchangeCloudTokenReply = MessagingAppStatus

export type SelectCloudAssetBody = {
  /** At most 64 characters. */
  phone_number_id: string
  waba_id?: string | null
  /** Of the answer with the candidates; absent: whichever is pending. */
  signup_id?: string | null
}

export type SelectCloudAssetReply = MessagingAppStatus

export type LegacyGetChannelSettingsReply = {
  payments_a_secret_configured: boolean
}

export type RedeemFleetInviteBody = {
  /** At most 64 characters. */
  code: string
  /** At most 200 characters. */
  name: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** Completes a pending membership. At most 64 characters. */
  otp?: string
}

export type RedeemFleetInviteReply =
  | {
      ok: true
      rider_id: string
      merchant_id: string
      membership: 'active' | 'pending'
    }
  | {
      ok: false
    }

export type RegisterRiderBody = {
  /** At most 200 characters. */
  name: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  city?: string | null
}

export type RegisterRiderReply = {
  ok: true
  rider_id: string
  phone_verified: boolean
}

export type PublicRequestRiderLoginBody = {
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
}

export type PublicRequestRiderLoginReply = SentCode

export type RequestRiderLoginBody = {
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
}

export type RequestRiderLoginReply = SentCode

export type VerifyRiderLoginBody = {
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
  /** At most 64 characters. */
  code: string
}

export type VerifyRiderLoginReply = RiderTokens

export type MintRiderTokenBody = {
  /** At most 64 characters. */
  rider_id: string
}

export type MintRiderTokenReply = RiderTokens

export type GetRiderAccountReply = {
  rider: Rider
  merchant: RiderMerchant | null
  riderWallet?: {
    balanceMinor: number
    updatedAt: string
  }
}

export type RecordPositionsBody = {
  points?: Array<PositionPoint>
  /** At least -90. At most 90. */
  lat?: number
  /** At least -180. At most 180. */
  lng?: number
  accuracy_m?: number | null
  speed_mps?: number | null
  /** Clockwise from north. */
  heading_deg?: number | null
  /** When it is received, if absent. */
  recorded_at?: string | null
  battery_pct?: number | null
}

export type RecordPositionsReply = {
  ok: true
  accepted: number
  location: Location | null
}

export type SetRiderOnlineBody = {
  is_online: boolean
}

export type SetRiderOnlineReply = {
  rider_id: string
  is_online: boolean
  updated_at: string
}

export type RequestRiderPhoneOtpBody = {
  /** The present one when absent. */
  phone?: string | null
}

export type RequestRiderPhoneOtpReply = SentCode

export type VerifyRiderPhoneOtpBody = {
  /** At most 64 characters. */
  code: string
  phone?: string | null
}

export type VerifyRiderPhoneOtpReply = {
  verified: true
  rider: Rider
}

export type ListDispatchOffersReply = {
  offers: Array<DispatchOffer>
}

export type AcceptDispatchOfferReply = {
  offer: DispatchOffer
  order: Order
}

export type DeclineDispatchOfferReply = {
  offer: DispatchOffer
}

export interface ListRiderOrdersQuery {
  limit?: number
  offset?: number
  status?: string
}

export type ListRiderOrdersReply = {
  orders: Array<OrderRow>
  total: number
  limit: number
  offset: number
}

export type UpdateRiderOrderStatusBody = {
  status: 'accepted' | 'picked_up' | 'in_transit' | 'delivered' | 'returned_to_merchant' | 'lost_in_transit'
  lat?: number | null
  lng?: number | null
  occurred_at?: string | null
  /** Required for returned_to_merchant and lost_in_transit. */
  reason?: string | null
  photo_storage_key?: string | null
  /** Makes repeats of one act one act. */
  client_event_id?: string | null
  /** Cash on delivery that the customer paid. Absent with delivered: all of it. 0 with returned_to_merchant: the customer refused to pay. */
  cod_collected_minor?: number | null
  /** Why less was paid; required then. */
  cod_reason?: string | null
}

export type UpdateRiderOrderStatusReply = {
  order: Order
}

export type DeclineRiderOrderBody = {
  reason?: string | null
}

export type DeclineRiderOrderReply = {
  order: Order
}

export type RequestPodOtpReply = SentCode

export type VerifyPodOtpBody = {
  /** At most 64 characters. */
  code: string
  photo_storage_key?: string | null
  lat?: number | null
  lng?: number | null
  /** Cash on delivery that the customer paid. Absent with delivered: all of it. 0 with returned_to_merchant: the customer refused to pay. */
  cod_collected_minor?: number | null
  /** Why less was paid; required then. */
  cod_reason?: string | null
}

export type VerifyPodOtpReply = {
  verified: true
  order: Order
}

export type LeaveFleetReply = {
  ok: true
}

export type PresignPodPhotoBody = {
  content_type: 'image/jpeg' | 'image/png' | 'image/webp'
  /** At least 1. At most 10485760. */
  size_bytes: number
}

export type PresignPodPhotoReply = {
  upload: {
    url: string
    method: 'PUT'
    headers: {
      [name: string]: string
    }
    expires_at: string
  }
  storage_key: string
}

export type RaiseSosBody = {
  lat?: number | null
  lng?: number | null
  note?: string | null
}

export type RaiseSosReply = {
  alert: {
    id: string
    created_at: string
  }
}

export interface GetRiderWalletQuery {
  limit?: number
  offset?: number
}

export type GetRiderWalletReply = {
  wallet: Wallet
  ledger_transactions: Array<LedgerEntry>
  total: number
  limit: number
  offset: number
}

export interface GetRiderCashQuery {
  limit?: number
  offset?: number
}

export type GetRiderCashReply = {
  items: Array<CashAccount>
  total: number
  limit: number
  offset: number
}

export interface RiderListRemittancesQuery {
  limit?: number
  offset?: number
  status?: 'declared' | 'confirmed' | 'disputed' | 'resolved' | 'withdrawn'
}

export type RiderListRemittancesReply = {
  items: Array<CashRemittance>
  total: number
  limit: number
  offset: number
}

export type RiderDeclareRemittanceBody = {
  /** At most 64 characters. */
  merchant_id: string
  /** Minor currency units. At least 1. At most 9007199254740991. */
  amount_minor: number
  /** The merchant's own when absent. */
  currency?: string | null
  note?: string | null
}

export type RiderDeclareRemittanceReply = {
  remittance: CashRemittance
}

export type WithdrawRemittanceReply = {
  remittance: CashRemittance
}

export type RiderDisputeRemittanceBody = {
  /** At most 500 characters. */
  reason: string
}

export type RiderDisputeRemittanceReply = {
  remittance: CashRemittance
}

export type RiderListPayoutInstrumentsReply = {
  items: Array<PayoutInstrument>
}

export type RiderCreatePayoutInstrumentBody = {
  /** At most 64 characters. */
  bank_code: string
  /** At most 64 characters. */
  account_number: string
  /** As the bank knows the account when absent. */
  account_name?: string | null
  is_default?: boolean | null
}

export type RiderCreatePayoutInstrumentReply = PayoutInstrument

export type RiderSetDefaultPayoutInstrumentBody = {
  is_default: true
}

export type RiderSetDefaultPayoutInstrumentReply = PayoutInstrument

export interface RiderListWithdrawalsQuery {
  limit?: number
  offset?: number
}

export type RiderListWithdrawalsReply = {
  withdrawal_requests: Array<Withdrawal>
  total: number
  limit: number
  offset: number
  /** The least that can be asked for. */
  min_amount_minor: number
}

export type RiderRequestWithdrawalBody = {
  /** Minor currency units. At least -9007199254740991. At most 9007199254740991. */
  amount_minor: number
  /** The default when absent. */
  payout_instrument_id?: string | null
}

export type RiderRequestWithdrawalReply = {
  withdrawal: Withdrawal
}

export type RiderCancelWithdrawalReply = {
  withdrawal: Withdrawal
}

export type SignUpMerchantBody = {
  /** At most 200 characters. */
  business_name: string
  /** At most 320 characters. */
  email: string
  /** At most 128 characters. */
  password: string
  /** At most 32 characters. */
  phone?: string
  /** Leave empty. At most 0 characters. */
  website?: string
}

export type SignUpMerchantReply = {
  merchant: {
    id: string
    name: string
    slug: string
  }
  api_key: string
  api_key_prefix: string
  email_verification_required: boolean
}

export type LogInBody = {
  /** At most 320 characters. */
  email: string
  /** At most 1024 characters. */
  password: string
}

export type LogInReply = TokenPair

export type GetMerchantSignOnReply = {
  sso_available: boolean
}

export interface CompleteMerchantSignOnQuery {
  code?: string
  state?: string
  /** As which the provider names itself */
  iss?: string
  /** In place of a code */
  error?: string
}

export type CompleteMerchantSignOnReply = TokenPair

export type ConfirmEmailVerificationBody = {
  /** At most 512 characters. */
  token: string
}

export type ConfirmEmailVerificationReply = {
  ok: true
}

export type ResendEmailVerificationBody = {
  /** At most 320 characters. */
  email: string
}

export type ResendEmailVerificationReply = {
  ok: true
}

export type RequestPasswordResetBody = {
  /** At most 320 characters. */
  email: string
  /** Leave empty. At most 2048 characters. */
  website?: string
}

export type RequestPasswordResetReply = {
  ok: true
}

export type ConfirmPasswordResetBody = {
  /** At most 512 characters. */
  token: string
  /** At most 128 characters. */
  password: string
}

export type ConfirmPasswordResetReply = {
  ok: true
}

export type CreateContactInquiryBody = {
  /** At most 200 characters. */
  name: string
  /** At most 320 characters. */
  email: string
  message?: string | null
  phone?: string | null
  /** "web_marketing" unless given. */
  source?: 'web_marketing' | 'signup_request'
  /** Leave empty. At most 2048 characters. */
  website?: string
}

export type CreateContactInquiryReply = {
  ok: true
}

export type GetCaptureConfigReply = {
  ota_capture: {
    enabled: boolean
  }
  package_allowlist?: Array<string>
  public_key?: string
}

export type ExchangeApiKeyBody = {
  /** Acts for this merchant. At most 64 characters. */
  grantor_merchant_id?: string
}

export type ExchangeApiKeyReply = TokenPair

export type RefreshTokenBody = {
  /** At most 4096 characters. */
  refresh_token: string
}

export type RefreshTokenReply = TokenPair | RiderTokens

export type LogOutBody = {
  /** At most 4096 characters. */
  refresh_token?: string
}

export type LogOutReply = {
  ok: true
}

export type ChangePasswordBody = {
  /** At most 1024 characters. */
  current_password: string
  /** At most 128 characters. */
  new_password: string
}

export type ChangePasswordReply = {
  ok: true
}

export type GetAccountReply = {
  merchant: Account
  account_email: string | null
  email_verified: boolean
}

export interface ListApiKeysQuery {
  limit?: number
  offset?: number
}

export type ListApiKeysReply = {
  items: Array<ApiKey>
  total: number
  limit: number
  offset: number
}

export type CreateApiKeyBody = {
  /** At most 200 characters. */
  label?: string
  /** The caller's own when absent. */
  scopes?: Array<Scope>
  /** false unless given. */
  is_test?: boolean
}

export type CreateApiKeyReply = MintedApiKey

export type RotateApiKeyBody = {
  /** At most 200 characters. */
  label?: string
}

export type RotateApiKeyReply = MintedApiKey

export type RevokeApiKeyReply = {
  ok: true
}

export interface ListWorkspaceGrantsQuery {
  limit?: number
  offset?: number
}

export type ListWorkspaceGrantsReply = {
  items: Array<WorkspaceGrant>
  total: number
  limit: number
  offset: number
}

export type CreateWorkspaceGrantBody = {
  /** At most 64 characters. */
  grantee_merchant_id: string
  scopes: Array<Scope>
}

export type CreateWorkspaceGrantReply = WorkspaceGrant

export type GetActiveWorkspaceGrantReply = WorkspaceGrant

export type RevokeWorkspaceGrantReply = {
  ok: true
}

export type SubmitKybBody = {
  [name: string]: unknown
}

export type SubmitKybReply = {
  ok: true
  kyb_status: string
  business_approval_status: string
  submitted_at: string
}

export type PresignKybUploadBody = {
  /** At most 255 characters. */
  file_name: string
  content_type: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** At least 1. At most 10485760. */
  size_bytes: number
  document_type: 'certificate_of_incorporation' | 'proof_of_address' | 'director_id' | 'tax_clearance' | 'other'
}

export type PresignKybUploadReply = {
  upload: {
    url: string
    method: 'PUT'
    headers: {
      [name: string]: string
    }
    expires_at: string
  }
  storage_key: string
}

export type AddKybDocumentBody = {
  /** At most 200 characters. */
  storage_key: string
  document_type?: 'certificate_of_incorporation' | 'proof_of_address' | 'director_id' | 'tax_clearance' | 'other'
  /** At most 255 characters. */
  file_name?: string
  content_type?: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** At least 1. At most 10485760. */
  size_bytes?: number
}

export type AddKybDocumentReply = {
  ok: true
  document: KybDocument
  kyb_status: string
}

export interface ListKybScanJobsQuery {
  limit?: number
  offset?: number
}

export type ListKybScanJobsReply = {
  items: Array<KybScanJob>
  total: number
  limit: number
  offset: number
}

/** One method for each call, by the name that the API reference gives it. */
export interface Operations {
  /**
   * Create an order. `POST /v1/orders`
   *
   * A repeat of the same (source, external_order_id) with the same content answers 200 with the stored order; with other content, 409 duplicate_order.
   *
   * Scope: orders:write.
   */
  createOrder(body: CreateOrderBody, options?: CallOptions): Promise<CreateOrderReply>

  /**
   * List orders, newest first. `GET /v1/orders`
   *
   * A row is at most 128 KiB: of a larger record raw_payload, then standardized.items, then unknown keys are cut, as in webhooks. By id an order is whole. total is exact up to 100,000.
   *
   * Scope: orders:read or orders:write.
   */
  listOrders(query?: ListOrdersQuery, options?: CallOptions): Pages<ListOrdersReply, OrderRow>

  /**
   * Ask what the creation of an order would be refused for. `POST /v1/orders/preflight`
   *
   * Takes the body of the creation and stores nothing. failures has each error that the creation would answer with if it were the only one, in the order in which it judges; ok means that there is none at this moment.
   *
   * Scope: orders:write.
   */
  preflightOrder(body: PreflightOrderBody, options?: CallOptions): Promise<PreflightOrderReply>

  /**
   * Read an order. `GET /v1/orders/{id}`
   *
   * Scope: orders:read or orders:write.
   */
  getOrder(id: string, options?: CallOptions): Promise<GetOrderReply>

  /**
   * Set the status, the payment mark, or both. `PATCH /v1/orders/{id}`
   *
   * Scope: orders:write.
   */
  updateOrder(id: string, body: UpdateOrderBody, options?: CallOptions): Promise<UpdateOrderReply>

  /**
   * Cancel an order. `POST /v1/orders/{id}/cancel`
   *
   * Cancelling a cancelled order changes nothing and answers already_cancelled.
   *
   * Scope: orders:write.
   */
  cancelOrder(id: string, body: CancelOrderBody, options?: CallOptions): Promise<CancelOrderReply>

  /**
   * Give the order to a rider, or to nobody. `POST /v1/orders/{id}/rider-assignment`
   *
   * The rider it has already changes nothing. Test orders take the sandbox rider alone.
   *
   * Scope: orders:write.
   */
  assignRider(id: string, body: AssignRiderBody, options?: CallOptions): Promise<AssignRiderReply>

  /**
   * List riders near a point, best first. `GET /v1/orders/{id}/dispatch-candidates`
   *
   * Scope: orders:read.
   */
  listDispatchCandidates(
    id: string,
    query: ListDispatchCandidatesQuery,
    options?: CallOptions,
  ): Promise<ListDispatchCandidatesReply>

  /**
   * Read why each rider was asked or left out. `GET /v1/orders/{id}/dispatch-trace`
   *
   * Scope: orders:read or orders:write.
   */
  getDispatchTrace(id: string, options?: CallOptions): Promise<GetDispatchTraceReply>

  /**
   * List shipments, newest first. `GET /v1/shipments`
   *
   * Scope: orders:read or orders:write.
   */
  listShipments(query?: ListShipmentsQuery, options?: CallOptions): Pages<ListShipmentsReply, Shipment>

  /**
   * Draft a shipment of up to 5,000 orders. `POST /v1/shipments/bulk-json`
   *
   * Nothing is dispatched and nobody hears of it before the submit. One wrong row refuses all. Bodies of up to 8 MiB.
   *
   * Scope: orders:write.
   */
  createShipment(body: CreateShipmentBody, options?: CallOptions): Promise<CreateShipmentReply>

  /**
   * Draft a shipment of a CSV file of up to 5,000 rows. `POST /v1/shipments/upload-csv`
   *
   * The header names recipient_name, recipient_phone and dropoff_address, and may name dropoff_lat, dropoff_lng, package_description, external_order_id, scheduled_pickup_at, delivery_window_start and delivery_window_end. UTF-8, at most 5 MiB. Good rows are kept; the others are named, counted from 1 without the header.
   *
   * Scope: orders:write.
   */
  uploadShipment(body: FormData, options?: CallOptions): Promise<UploadShipmentReply>

  /**
   * Read a shipment and how far its orders are. `GET /v1/shipments/{id}`
   *
   * Scope: orders:read or orders:write.
   */
  getShipment(id: string, options?: CallOptions): Promise<GetShipmentReply>

  /**
   * Submit a draft: its sum is held and its orders begin. `POST /v1/shipments/{id}/submit`
   *
   * Submitting again changes nothing and answers already_submitted.
   *
   * Scope: orders:write.
   */
  submitShipment(id: string, options?: CallOptions): Promise<SubmitShipmentReply>

  /**
   * Cancel a draft with all of its orders. `POST /v1/shipments/{id}/cancel`
   *
   * Cancelling a cancelled shipment changes nothing and answers already_cancelled.
   *
   * Scope: orders:write.
   */
  cancelShipment(id: string, options?: CallOptions): Promise<CancelShipmentReply>

  /**
   * Create a test order. `POST /v1/test/simulator/orders`
   *
   * Scope: orders:write.
   */
  createSimulatorOrder(body: CreateSimulatorOrderBody, options?: CallOptions): Promise<CreateSimulatorOrderReply>

  /**
   * Progress a test order with the sandbox rider. `POST /v1/test/simulator/rider-action`
   *
   * Scope: orders:write.
   */
  simulateRiderAction(body: SimulateRiderActionBody, options?: CallOptions): Promise<SimulateRiderActionReply>

  /**
   * Create a test order that progresses by itself. `POST /v1/test/simulator/orders/auto`
   *
   * Scope: orders:write.
   */
  createAutoSimulatorOrder(
    body: CreateAutoSimulatorOrderBody,
    options?: CallOptions,
  ): Promise<CreateAutoSimulatorOrderReply>

  /**
   * Play a scenario with a test order. `POST /v1/test/simulator/scenarios`
   *
   * Scope: orders:write.
   */
  startScenario(body: StartScenarioBody, options?: CallOptions): Promise<StartScenarioReply>

  /**
   * How far the scenario of a test order is. `GET /v1/test/simulator/scenarios/{orderId}`
   *
   * Scope: orders:read or orders:write.
   */
  getScenario(orderId: string, options?: CallOptions): Promise<GetScenarioReply>

  /**
   * Set the balance of the sandbox wallet. `PUT /v1/test/wallet`
   *
   * Scope: orders:write.
   */
  setTestWallet(body: SetTestWalletBody, options?: CallOptions): Promise<SetTestWalletReply>

  /**
   * Let time pass in the sandbox. `POST /v1/test/clock/advance`
   *
   * What is under way gets so much older, within a second; where that is tens of thousands of deliveries, within minutes. What begins later goes by the time of day. At most 20 times a minute per merchant.
   *
   * Scope: orders:write.
   */
  advanceClock(body: AdvanceClockBody, options?: CallOptions): Promise<AdvanceClockReply>

  /**
   * Have webhooks of the sandbox go wrong. `PUT /v1/test/webhook-faults`
   *
   * Replaces all faults; an empty list clears them. Of those that fit a delivery it meets the first.
   *
   * Scope: webhooks:manage.
   */
  putWebhookFaults(body: PutWebhookFaultsBody, options?: CallOptions): Promise<PutWebhookFaultsReply>

  /**
   * What is to go wrong with webhooks of the sandbox. `GET /v1/test/webhook-faults`
   *
   * Scope: webhooks:manage.
   */
  getWebhookFaults(options?: CallOptions): Promise<GetWebhookFaultsReply>

  /**
   * Read the endpoint. `GET /v1/me/outbound-webhook`
   *
   * That of the sandbox for a test credential; for all others the live one, with the test URL beside it.
   *
   * Scope: webhooks:manage.
   */
  getOutboundWebhook(options?: CallOptions): Promise<GetOutboundWebhookReply>

  /**
   * Change the endpoint. `PATCH /v1/me/outbound-webhook`
   *
   * Enabling it without a secret generates one, which this reply alone shows. A test credential changes the sandbox endpoint alone.
   *
   * Scope: webhooks:manage.
   */
  updateOutboundWebhook(body: UpdateOutboundWebhookBody, options?: CallOptions): Promise<UpdateOutboundWebhookReply>

  /**
   * Send webhook.ping now. `POST /v1/me/outbound-webhook/test`
   *
   * Answers with what the receiver answered; nothing is stored or retried.
   *
   * Scope: webhooks:manage.
   */
  testOutboundWebhook(options?: CallOptions): Promise<TestOutboundWebhookReply>

  /**
   * Replace the signing secret. `POST /v1/me/outbound-webhook/rotate-secret`
   *
   * Under signature version v2 both secrets sign for 24 hours; v1 switches at once.
   *
   * Scope: webhooks:manage.
   */
  rotateOutboundWebhookSecret(options?: CallOptions): Promise<RotateOutboundWebhookSecretReply>

  /**
   * Deliver the events of a period again. `POST /v1/me/outbound-webhook/replay`
   *
   * Scope: webhooks:manage.
   */
  replayEvents(body: ReplayEventsBody, options?: CallOptions): Promise<ReplayEventsReply>

  /**
   * List deliveries, newest first. `GET /v1/me/outbound-webhook/deliveries`
   *
   * Scope: webhooks:manage.
   */
  listDeliveries(query?: ListDeliveriesQuery, options?: CallOptions): Pages<ListDeliveriesReply, Delivery>

  /**
   * Queue a pending or dead delivery again. `POST /v1/me/outbound-webhook/deliveries/{deliveryId}/retry`
   *
   * Scope: webhooks:manage.
   */
  retryDelivery(deliveryId: string, options?: CallOptions): Promise<RetryDeliveryReply>

  /**
   * Read the event log, oldest first. `GET /v1/events`
   *
   * Every event of every order, delivered or not; sequence counts the events of one order without gaps. Events of money are there for merchants that list them; order_id leaves them out. A page ends at 8 MiB, before its limit; next_cursor goes on.
   *
   * Scope: orders:read or webhooks:manage.
   */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Pages<ListEventsReply, Event>

  /** Follow an order by its tracking link. `GET /v1/tracking/{token}` */
  trackOrder(token: string, options?: CallOptions): Promise<TrackOrderReply>

  /** Follow an order by its tracking link. `GET /v1/public/tracking/{token}` */
  publicTrackOrder(token: string, options?: CallOptions): Promise<PublicTrackOrderReply>

  /**
   * Ask whether points are covered. `GET /v1/coverage/check`
   *
   * One point as lat and lng, or a pickup, a drop-off or both. Judges as the creation of an order does.
   *
   * Scope: orders:read or orders:write.
   */
  checkCoverage(query?: CheckCoverageQuery, options?: CallOptions): Promise<CheckCoverageReply>

  /** Price a delivery by the platform's rate card. `GET /v1/public/pricing/rate-card-preview` */
  previewFare(query: PreviewFareQuery, options?: CallOptions): Promise<PreviewFareReply>

  /**
   * Quote a delivery. `POST /v1/me/pricing/quote`
   *
   * Good for 15 minutes; quote_id on POST /v1/orders pins the fee.
   *
   * Scope: orders:read.
   */
  createQuote(body: CreateQuoteBody, options?: CallOptions): Promise<CreateQuoteReply>

  /**
   * List riders near a point, nearest first. `GET /v1/me/riders/near`
   *
   * Scope: orders:read or orders:write.
   */
  listRidersNear(query: ListRidersNearQuery, options?: CallOptions): Promise<ListRidersNearReply>

  /**
   * Read where a rider was. `GET /v1/me/riders/{riderId}/location/history`
   *
   * Scope: orders:read or orders:write.
   */
  listPositionHistory(
    riderId: string,
    query?: ListPositionHistoryQuery,
    options?: CallOptions,
  ): Promise<ListPositionHistoryReply>

  /**
   * Read the platform's active geofences. `GET /v1/me/dispatch/platform-geofences`
   *
   * Scope: orders:read or orders:write.
   */
  listPlatformGeofences(options?: CallOptions): Promise<ListPlatformGeofencesReply>

  /**
   * Read the dispatch zones as GeoJSON. `GET /v1/me/dispatch/zones`
   *
   * Scope: orders:read or orders:write.
   */
  listDispatchZones(options?: CallOptions): Promise<ListDispatchZonesReply>

  /**
   * Learn how to follow riders live. `GET /v1/me/realtime/rider-location`
   *
   * Connect with socket.io to `url` and `path`, with the merchant access token in `auth.merchant_access_token`. The socket joins the room of its merchant by itself, gets `rider_locations_snapshot` at once and every 30 s, `rider_location` at most once a second per rider, and `rider_online_status`.
   *
   * Scope: orders:read or orders:write.
   */
  listLivePositions(options?: CallOptions): Promise<ListLivePositionsReply>

  /**
   * List invite codes that still work. `GET /v1/me/fleet/invite-codes`
   *
   * Scope: orders:read or orders:write.
   */
  listInviteCodes(query?: ListInviteCodesQuery, options?: CallOptions): Pages<ListInviteCodesReply, InviteCode>

  /**
   * Make an invite code. `POST /v1/me/fleet/invite-codes`
   *
   * Scope: orders:write.
   */
  createInviteCode(body?: CreateInviteCodeBody, options?: CallOptions): Promise<CreateInviteCodeReply>

  /**
   * Revoke an invite code for good. `DELETE /v1/me/fleet/invite-codes/{codeId}`
   *
   * Scope: orders:write.
   */
  revokeInviteCode(codeId: string, options?: CallOptions): Promise<RevokeInviteCodeReply>

  /**
   * List the riders of the fleet. `GET /v1/me/fleet/riders`
   *
   * Scope: orders:read or orders:write.
   */
  listFleetRiders(query?: ListFleetRidersQuery, options?: CallOptions): Pages<ListFleetRidersReply, Rider>

  /**
   * Take a rider out of the fleet. `DELETE /v1/me/fleet/riders/{riderId}`
   *
   * Ends the rider's tokens at once.
   *
   * Scope: orders:write.
   */
  removeFleetRider(riderId: string, options?: CallOptions): Promise<RemoveFleetRiderReply>

  /**
   * Read the wallet and its entries, newest first. `GET /v1/me/wallet`
   *
   * Test keys read the sandbox wallet, live keys and logins the live one.
   *
   * Scope: orders:read or orders:write.
   */
  getWallet(query?: GetWalletQuery, options?: CallOptions): Pages<GetWalletReply, LedgerEntry>

  /**
   * Start a checkout that tops the live wallet up. `POST /v1/me/wallet/payments-a-topup-intent`
   *
   * The wallet is credited once the provider confirms the payment. A repeat with the same key, amount and callback answers the same checkout. Not with test keys.
   *
   * Scope: orders:write.
   */
  createTopupIntent(body: CreateTopupIntentBody, options?: CallOptions): Promise<CreateTopupIntentReply>

  /**
   * List what went into and out of the escrow of commissions, newest first. `GET /v1/me/escrow-ledger`
   *
   * Scope: orders:read or orders:write.
   */
  listEscrowLedger(query?: ListEscrowLedgerQuery, options?: CallOptions): Pages<ListEscrowLedgerReply, EscrowEntry>

  /**
   * Read what became of the cash that riders collected, newest first, and its sums. `GET /v1/me/cod-statement`
   *
   * Scope: orders:read or orders:write.
   */
  getCashStatement(query?: GetCashStatementQuery, options?: CallOptions): Promise<GetCashStatementReply>

  /**
   * List what each rider has in hand, the largest sums first. `GET /v1/me/cod-accounts`
   *
   * Scope: orders:read or orders:write.
   */
  listCashAccounts(query?: ListCashAccountsQuery, options?: CallOptions): Pages<ListCashAccountsReply, CashAccount>

  /**
   * List hand-overs of cash, newest first. `GET /v1/me/cod-remittances`
   *
   * Scope: orders:read or orders:write.
   */
  listRemittances(query?: ListRemittancesQuery, options?: CallOptions): Pages<ListRemittancesReply, CashRemittance>

  /**
   * Declare a hand-over of cash at your own desk. `POST /v1/me/cod-remittances`
   *
   * It stays in the rider’s hands until it is confirmed. At most what is in hand and not declared yet.
   *
   * Scope: orders:write.
   */
  declareRemittance(body: DeclareRemittanceBody, options?: CallOptions): Promise<DeclareRemittanceReply>

  /**
   * Confirm that the cash has arrived. `POST /v1/me/cod-remittances/{id}/confirm`
   *
   * All of it, or less for a reason: what is missing stays in the rider’s hands. A repeat changes nothing.
   *
   * Scope: orders:write.
   */
  confirmRemittance(id: string, body?: ConfirmRemittanceBody, options?: CallOptions): Promise<ConfirmRemittanceReply>

  /**
   * Say that nothing of a declared hand-over has arrived. `POST /v1/me/cod-remittances/{id}/dispute`
   *
   * An operator decides.
   *
   * Scope: orders:write.
   */
  disputeRemittance(id: string, body: DisputeRemittanceBody, options?: CallOptions): Promise<DisputeRemittanceReply>

  /**
   * Contest an entry of the ledger. `POST /v1/me/commission-dispute-intake`
   *
   * An operator gets back to the owner's e-mail address. A repeat for the same entry answers the first dispute. A preview that operators switch on, for live credentials.
   *
   * Scope: orders:write.
   */
  createCommissionDispute(
    body: CreateCommissionDisputeBody,
    options?: CallOptions,
  ): Promise<CreateCommissionDisputeReply>

  /**
   * List bank accounts to which withdrawals may go, newest first. `GET /v1/me/payout-instruments`
   *
   * Scope: orders:read or orders:write.
   */
  listPayoutInstruments(options?: CallOptions): Promise<ListPayoutInstrumentsReply>

  /**
   * Add a bank account. `POST /v1/me/payout-instruments`
   *
   * Withdrawals are frozen for a day from then on, but by the first account of a merchant, whose owner gets a mail about any further one. Live credentials only.
   *
   * Scope: orders:write.
   */
  createPayoutInstrument(body: CreatePayoutInstrumentBody, options?: CallOptions): Promise<CreatePayoutInstrumentReply>

  /**
   * Make a bank account the default. `PATCH /v1/me/payout-instruments/{id}`
   *
   * Withdrawals are frozen for a day from then on, but by the first account of a merchant, whose owner gets a mail about any further one. Live credentials only.
   *
   * Scope: orders:write.
   */
  setDefaultPayoutInstrument(
    id: string,
    body: SetDefaultPayoutInstrumentBody,
    options?: CallOptions,
  ): Promise<SetDefaultPayoutInstrumentReply>

  /**
   * List withdrawals, newest first. `GET /v1/me/withdrawals`
   *
   * Scope: orders:read or orders:write.
   */
  listWithdrawals(query?: ListWithdrawalsQuery, options?: CallOptions): Pages<ListWithdrawalsReply, Withdrawal>

  /**
   * Ask for money to be paid out. `POST /v1/me/withdrawals/request`
   *
   * Reserves the amount until an operator has reviewed it. Live credentials only.
   *
   * Scope: orders:write.
   */
  requestWithdrawal(body: RequestWithdrawalBody, options?: CallOptions): Promise<RequestWithdrawalReply>

  /**
   * Take a withdrawal back while it waits for review. `POST /v1/me/withdrawals/{id}/cancel`
   *
   * Of one that is cancelled already this answers `invalid_state`.
   *
   * Scope: orders:write.
   */
  cancelWithdrawal(id: string, options?: CallOptions): Promise<CancelWithdrawalReply>

  /**
   * Read tier, billing status and what they entail. `GET /v1/me/billing`
   *
   * Scope: orders:read or orders:write.
   */
  getBilling(options?: CallOptions): Promise<GetBillingReply>

  /**
   * List the plans that can be subscribed to. `GET /v1/me/billing/payments-a-plans`
   *
   * Scope: orders:read or orders:write.
   */
  listPlans(options?: CallOptions): Promise<ListPlansReply>

  /**
   * Start a checkout whose payment subscribes to a plan. `POST /v1/me/billing/payments-a-subscription-intent`
   *
   * Not with test keys.
   *
   * Scope: orders:write.
   */
  createSubscriptionIntent(
    body: CreateSubscriptionIntentBody,
    options?: CallOptions,
  ): Promise<CreateSubscriptionIntentReply>

  /**
   * Subscribe to a plan with an authorization of an earlier payment. `POST /v1/me/billing/payments-a-subscription-create`
   *
   * Not with test keys.
   *
   * Scope: orders:write.
   */
  createSubscription(body: CreateSubscriptionBody, options?: CallOptions): Promise<CreateSubscriptionReply>

  /**
   * Read the deliveries of the present cycle. `GET /v1/me/billing-usage`
   *
   * Scope: orders:read or orders:write.
   */
  getBillingUsage(options?: CallOptions): Promise<GetBillingUsageReply>

  /**
   * Read how the merchant's own account at a third party is connected. `GET /v1/me/ingestion/{channel}`
   *
   * Of live money: test credentials are refused.
   *
   * Scope: orders:read or orders:write.
   */
  getChannelSettings(channel: string, options?: CallOptions): Promise<GetChannelSettingsReply>

  /**
   * Connect the merchant's own account at a third party. `PUT /v1/me/ingestion/{channel}`
   *
   * Of live money: test credentials are refused.
   *
   * Scope: keys:manage.
   */
  putChannelSettings(
    channel: string,
    body: PutChannelSettingsBody,
    options?: CallOptions,
  ): Promise<PutChannelSettingsReply>

  /**
   * Read whether a phone number is connected at the messaging app's cloud. `GET /v1/me/messaging-app/cloud/status`
   *
   * Of the merchant's live customers: test credentials are refused.
   *
   * Scope: orders:read or orders:write.
   */
  getCloudStatus(options?: CallOptions): Promise<GetCloudStatusReply>

  /**
   * Read what the signup in the browser is started with. `GET /v1/me/messaging-app/cloud/sdk-config`
   *
   * Of the merchant's live customers: test credentials are refused.
   *
   * Scope: orders:read or orders:write.
   */
  getCloudSdkConfig(options?: CallOptions): Promise<GetCloudSdkConfigReply>

  /**
   * List the phone numbers that a pending signup may choose from. `GET /v1/me/messaging-app/cloud/candidates`
   *
   * As the provider has them now; none where no signup is pending. Of the merchant's live customers: test credentials are refused.
   *
   * Scope: orders:read or orders:write.
   */
  listCloudCandidates(options?: CallOptions): Promise<ListCloudCandidatesReply>

  /**
   * Exchange the code of a finished signup and connect its phone number. `POST /v1/me/messaging-app/cloud/exchange-token`
   *
   * Where it has granted several and none is named, the answer is 409 `asset_selection_required` with the candidates, and the signup waits 15 minutes for select-asset. Of the merchant's live customers: test credentials are refused.
   *
   * Scope: orders:write.
   */
  exchangeCloudToken(body: ExchangeCloudTokenBody, options?: CallOptions): Promise<ExchangeCloudTokenReply>

  /**
   * Connect one of the candidates of the pending signup. `POST /v1/me/messaging-app/cloud/select-asset`
   *
   * Of the merchant's live customers: test credentials are refused.
   *
   * Scope: orders:write.
   */
  selectCloudAsset(body: SelectCloudAssetBody, options?: CallOptions): Promise<SelectCloudAssetReply>

  /**
   * Read whether the merchant has a secret of its own at the payment provider. `GET /v1/me/integrations/payments-a`
   *
   * Deprecated since 2026-11-23, and may be gone from 2027-06-30 on. GET and PUT /v1/me/ingestion/payments-a take its place.
   *
   * Scope: orders:read or orders:write.
   *
   * @deprecated
   */
  legacyGetChannelSettings(options?: CallOptions): Promise<LegacyGetChannelSettingsReply>

  /**
   * Join a merchant's fleet with an invite code. `POST /v1/public/riders/fleet-invite/redeem`
   *
   * A code works once. Unknown, expired, revoked and used ones, and those held for another rider, answer ok false. A phone that its rider has proven is sent a code that names the business; until a second call brings it as `otp`, the membership is pending and nothing has changed.
   */
  redeemFleetInvite(body: RedeemFleetInviteBody, options?: CallOptions): Promise<RedeemFleetInviteReply>

  /**
   * Register as a freelancer. `POST /v1/public/riders/register/start`
   *
   * A freelancer's phone that is known answers with its rider, one of a fleet's rider is refused. The phone is proven by the first log-in.
   */
  registerRider(body: RegisterRiderBody, options?: CallOptions): Promise<RegisterRiderReply>

  /**
   * Send a code that proves the phone of a new rider. `POST /v1/public/riders/phone-otp/request`
   *
   * The code is verified by POST /v1/auth/rider/phone-otp/verify.
   */
  publicRequestRiderLogin(
    body: PublicRequestRiderLoginBody,
    options?: CallOptions,
  ): Promise<PublicRequestRiderLoginReply>

  /**
   * Send a log-in code to a phone. `POST /v1/auth/rider/phone-otp/request`
   *
   * An unknown phone gets the same answer and no message.
   */
  requestRiderLogin(body: RequestRiderLoginBody, options?: CallOptions): Promise<RequestRiderLoginReply>

  /**
   * Exchange a log-in code for tokens. `POST /v1/auth/rider/phone-otp/verify`
   *
   * Also proves the phone. In the sandbox a test key in X-API-Key binds the tokens to its merchant; unbound ones see no orders.
   */
  verifyRiderLogin(body: VerifyRiderLoginBody, options?: CallOptions): Promise<VerifyRiderLoginReply>

  /**
   * Mint a token for one of the merchant's riders. `POST /v1/auth/rider/token`
   *
   * Good for one shift, without a refresh token, and no longer than the key. Money is in reach only if the key holds orders:write, and payout instruments only while the rider has never logged in by a code. Test keys mint for the sandbox rider alone.
   *
   * Scope: orders:write or riders:location.
   */
  mintRiderToken(body: MintRiderTokenBody, options?: CallOptions): Promise<MintRiderTokenReply>

  /** Read the rider's own account. `GET /v1/auth/rider/me` */
  getRiderAccount(options?: CallOptions): Promise<GetRiderAccountReply>

  /**
   * Report where the rider is. `POST /v1/riders/{riderId}/location`
   *
   * Points from the future or older than the present one are kept in the history alone.
   *
   * Scope: riders:location or orders:write; riders for themselves.
   */
  recordPositions(riderId: string, body: RecordPositionsBody, options?: CallOptions): Promise<RecordPositionsReply>

  /**
   * Go online or offline. `PATCH /v1/riders/{riderId}/online`
   *
   * Scope: riders:location or orders:write; riders for themselves.
   */
  setRiderOnline(riderId: string, body: SetRiderOnlineBody, options?: CallOptions): Promise<SetRiderOnlineReply>

  /**
   * Send a code to the rider's phone, or to its next one. `POST /v1/riders/{riderId}/phone-otp/request`
   *
   * Scope: riders:location or orders:write; riders for themselves.
   */
  requestRiderPhoneOtp(
    riderId: string,
    body?: RequestRiderPhoneOtpBody,
    options?: CallOptions,
  ): Promise<RequestRiderPhoneOtpReply>

  /**
   * Prove the rider's phone. `POST /v1/riders/{riderId}/phone-otp/verify`
   *
   * Scope: riders:location or orders:write; riders for themselves.
   */
  verifyRiderPhoneOtp(
    riderId: string,
    body: VerifyRiderPhoneOtpBody,
    options?: CallOptions,
  ): Promise<VerifyRiderPhoneOtpReply>

  /** List offers that can still be accepted. `GET /v1/riders/me/dispatch-offers` */
  listDispatchOffers(options?: CallOptions): Promise<ListDispatchOffersReply>

  /**
   * Accept an offer. `POST /v1/riders/me/dispatch-offers/{offerId}/accept`
   *
   * Exactly one of all riders who accept gets the order; a repeat answers the same.
   */
  acceptDispatchOffer(offerId: string, options?: CallOptions): Promise<AcceptDispatchOfferReply>

  /** Decline an offer. `POST /v1/riders/me/dispatch-offers/{offerId}/decline` */
  declineDispatchOffer(offerId: string, options?: CallOptions): Promise<DeclineDispatchOfferReply>

  /** List the rider's orders, newest first. `GET /v1/riders/me/orders` */
  listRiderOrders(query?: ListRiderOrdersQuery, options?: CallOptions): Pages<ListRiderOrdersReply, OrderRow>

  /**
   * Report progress. `POST /v1/riders/me/orders/{orderId}/status`
   *
   * Strictly accepted, picked_up, in_transit (may be left out), delivered; returned_to_merchant and lost_in_transit after the pickup.
   */
  updateRiderOrderStatus(
    orderId: string,
    body: UpdateRiderOrderStatusBody,
    options?: CallOptions,
  ): Promise<UpdateRiderOrderStatusReply>

  /**
   * Give back an order that was assigned without asking. `POST /v1/riders/me/orders/{orderId}/decline`
   *
   * Until the rider has accepted or collected it by an act of its own, whatever status the merchant has set; a repeat is a 404.
   */
  declineRiderOrder(
    orderId: string,
    body?: DeclineRiderOrderBody,
    options?: CallOptions,
  ): Promise<DeclineRiderOrderReply>

  /**
   * Send the delivery code to the customer. `POST /v1/riders/me/orders/{orderId}/pod-otp/request`
   *
   * Test orders send nothing and accept 000000.
   */
  requestPodOtp(orderId: string, options?: CallOptions): Promise<RequestPodOtpReply>

  /** Prove the delivery with the code that the customer tells. `POST /v1/riders/me/orders/{orderId}/pod-otp/verify` */
  verifyPodOtp(orderId: string, body: VerifyPodOtpBody, options?: CallOptions): Promise<VerifyPodOtpReply>

  /**
   * Leave the fleet. `POST /v1/riders/me/fleet/leave`
   *
   * Not while an order is under way. A former freelancer is one again. All tokens end, this one too: log in by a code.
   */
  leaveFleet(options?: CallOptions): Promise<LeaveFleetReply>

  /**
   * Prepare the upload of a photo. `POST /v1/riders/me/uploads/pod-photo-presign`
   *
   * The photo is then sent to the address with the headers; its storage_key goes with the proof.
   */
  presignPodPhoto(body: PresignPodPhotoBody, options?: CallOptions): Promise<PresignPodPhotoReply>

  /** Call for help. `POST /v1/riders/me/sos` */
  raiseSos(body?: RaiseSosBody, options?: CallOptions): Promise<RaiseSosReply>

  /** Read the rider's wallet and its entries, newest first. `GET /v1/riders/me/ledger` */
  getRiderWallet(query?: GetRiderWalletQuery, options?: CallOptions): Pages<GetRiderWalletReply, LedgerEntry>

  /**
   * Read what cash the rider has in hand, by merchant, the largest sums first. `GET /v1/riders/me/cash`
   *
   * Cash on delivery belongs to the merchant; it is no part of what the rider earns.
   */
  getRiderCash(query?: GetRiderCashQuery, options?: CallOptions): Pages<GetRiderCashReply, CashAccount>

  /** List hand-overs of cash, newest first. `GET /v1/riders/me/cash/remittances` */
  riderListRemittances(
    query?: RiderListRemittancesQuery,
    options?: CallOptions,
  ): Pages<RiderListRemittancesReply, CashRemittance>

  /**
   * Say that cash is handed over to its merchant. `POST /v1/riders/me/cash/remittances`
   *
   * It stays in hand until the merchant confirms it. At most what is in hand and not declared yet.
   */
  riderDeclareRemittance(body: RiderDeclareRemittanceBody, options?: CallOptions): Promise<RiderDeclareRemittanceReply>

  /**
   * Take back a hand-over that nobody has confirmed or disputed. `POST /v1/riders/me/cash/remittances/{id}/withdraw`
   *
   * One that the rider declared itself: what was declared may be declared anew at once. A repeat changes nothing.
   */
  withdrawRemittance(id: string, options?: CallOptions): Promise<WithdrawRemittanceReply>

  /**
   * Contradict a hand-over that was confirmed as less, or that the merchant does not answer. `POST /v1/riders/me/cash/remittances/{id}/dispute`
   *
   * An operator decides.
   */
  riderDisputeRemittance(
    id: string,
    body: RiderDisputeRemittanceBody,
    options?: CallOptions,
  ): Promise<RiderDisputeRemittanceReply>

  /** List bank accounts to which withdrawals may go, newest first. `GET /v1/riders/me/payout-instruments` */
  riderListPayoutInstruments(options?: CallOptions): Promise<RiderListPayoutInstrumentsReply>

  /**
   * Add a bank account. `POST /v1/riders/me/payout-instruments`
   *
   * Withdrawals are frozen for a day from then on, but by the first account of a merchant, whose owner gets a mail about any further one. Live credentials only.
   */
  riderCreatePayoutInstrument(
    body: RiderCreatePayoutInstrumentBody,
    options?: CallOptions,
  ): Promise<RiderCreatePayoutInstrumentReply>

  /**
   * Make a bank account the default. `PATCH /v1/riders/me/payout-instruments/{id}`
   *
   * Withdrawals are frozen for a day from then on, but by the first account of a merchant, whose owner gets a mail about any further one. Live credentials only.
   */
  riderSetDefaultPayoutInstrument(
    id: string,
    body: RiderSetDefaultPayoutInstrumentBody,
    options?: CallOptions,
  ): Promise<RiderSetDefaultPayoutInstrumentReply>

  /** List withdrawals, newest first. `GET /v1/riders/me/withdrawals` */
  riderListWithdrawals(
    query?: RiderListWithdrawalsQuery,
    options?: CallOptions,
  ): Pages<RiderListWithdrawalsReply, Withdrawal>

  /**
   * Ask for money to be paid out. `POST /v1/riders/me/withdrawals/request`
   *
   * Reserves the amount until an operator has reviewed it. Live credentials only.
   */
  riderRequestWithdrawal(body: RiderRequestWithdrawalBody, options?: CallOptions): Promise<RiderRequestWithdrawalReply>

  /**
   * Take a withdrawal back while it waits for review. `POST /v1/riders/me/withdrawals/{id}/cancel`
   *
   * Of one that is cancelled already this answers `invalid_state`.
   */
  riderCancelWithdrawal(id: string, options?: CallOptions): Promise<RiderCancelWithdrawalReply>

  /**
   * Sign a merchant up. `POST /v1/public/merchants/signup`
   *
   * Makes the merchant, its owner and a test key with every scope, which this reply alone shows.
   */
  signUpMerchant(body: SignUpMerchantBody, options?: CallOptions): Promise<SignUpMerchantReply>

  /** Log in with e-mail and password. `POST /v1/public/login` */
  logIn(body: LogInBody, options?: CallOptions): Promise<LogInReply>

  /** Whether single sign-on is offered. `GET /v1/public/auth/merchant-oidc/status` */
  getMerchantSignOn(options?: CallOptions): Promise<GetMerchantSignOnReply>

  /**
   * Where the identity provider sends the browser back to. `GET /v1/public/auth/merchant-oidc/callback`
   *
   * Answers with the tokens, or leads to the page that the operator has configured, with the tokens in its fragment.
   */
  completeMerchantSignOn(
    query?: CompleteMerchantSignOnQuery,
    options?: CallOptions,
  ): Promise<CompleteMerchantSignOnReply>

  /**
   * Confirm an e-mail address by the token of a mail. `POST /v1/public/email-verification/confirm`
   *
   * Signing up sends the mail. The token is good for 48 hours, once.
   */
  confirmEmailVerification(
    body: ConfirmEmailVerificationBody,
    options?: CallOptions,
  ): Promise<ConfirmEmailVerificationReply>

  /**
   * Ask for another mail that confirms an address. `POST /v1/public/email-verification/resend`
   *
   * The answer is the same whether or not the address has an account to confirm. A new link ends those before it.
   */
  resendEmailVerification(
    body: ResendEmailVerificationBody,
    options?: CallOptions,
  ): Promise<ResendEmailVerificationReply>

  /**
   * Ask for a mail with a link by which a password is chosen anew. `POST /v1/public/password-reset/request`
   *
   * The answer is the same whether or not the address has an account. A new link ends those before it.
   */
  requestPasswordReset(body: RequestPasswordResetBody, options?: CallOptions): Promise<RequestPasswordResetReply>

  /**
   * Choose another password by the token of a mail. `POST /v1/public/password-reset/confirm`
   *
   * The token is good for an hour, once. Every log-in of the user ends, API keys live on, and the address counts as confirmed.
   */
  confirmPasswordReset(body: ConfirmPasswordResetBody, options?: CallOptions): Promise<ConfirmPasswordResetReply>

  /** Write to the operator. `POST /v1/public/contact` */
  createContactInquiry(body: CreateContactInquiryBody, options?: CallOptions): Promise<CreateContactInquiryReply>

  /**
   * Read how the capture app shall behave. `GET /v1/system/capture-config`
   *
   * The packages that it may read and the key by which it verifies are told while it is enabled.
   */
  getCaptureConfig(options?: CallOptions): Promise<GetCaptureConfigReply>

  /**
   * Exchange an API key for tokens. `POST /v1/auth/token`
   *
   * With `grantor_merchant_id` the tokens act for that merchant, by its active grant, with the scopes that key and grant have in common. They end with the grant.
   */
  exchangeApiKey(body?: ExchangeApiKeyBody, options?: CallOptions): Promise<ExchangeApiKeyReply>

  /**
   * Exchange a refresh token for new tokens. `POST /v1/auth/refresh`
   *
   * A refresh token works once. Its second use ends the session, save within 10 seconds of the first.
   */
  refreshToken(body: RefreshTokenBody, options?: CallOptions): Promise<RefreshTokenReply>

  /**
   * End the session of a token. `POST /v1/auth/logout`
   *
   * The access token with which it is called, or the refresh token in the body. A repeat changes nothing.
   */
  logOut(body?: LogOutBody, options?: CallOptions): Promise<LogOutReply>

  /**
   * Choose another password. `POST /v1/auth/change-password`
   *
   * The caller's own, with the token of a log-in: a key, and a token exchanged from one, is 403. Every log-in of that user ends, the caller's too; API keys live on. Five attempts an hour, those that succeed included.
   */
  changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<ChangePasswordReply>

  /** Read the caller's own account. `GET /v1/auth/me` */
  getAccount(options?: CallOptions): Promise<GetAccountReply>

  /**
   * List API keys. `GET /v1/me/api-keys`
   *
   * Scope: keys:manage or orders:read.
   */
  listApiKeys(query?: ListApiKeysQuery, options?: CallOptions): Pages<ListApiKeysReply, ApiKey>

  /**
   * Create an API key. `POST /v1/me/api-keys`
   *
   * Scope: keys:manage.
   */
  createApiKey(body?: CreateApiKeyBody, options?: CallOptions): Promise<CreateApiKeyReply>

  /**
   * Replace the secret of an API key. `POST /v1/me/api-keys/{keyId}/rotate`
   *
   * The id stays; the old secret is dead at once.
   *
   * Scope: keys:manage.
   */
  rotateApiKey(keyId: string, body?: RotateApiKeyBody, options?: CallOptions): Promise<RotateApiKeyReply>

  /**
   * Revoke an API key. `DELETE /v1/me/api-keys/{keyId}`
   *
   * Tokens minted from it are dead at once. Revoking a revoked key changes nothing.
   *
   * Scope: keys:manage.
   */
  revokeApiKey(keyId: string, options?: CallOptions): Promise<RevokeApiKeyReply>

  /**
   * List workspace grants. `GET /v1/me/workspace-grants`
   *
   * Those that the merchant gave and those that it has, newest first.
   *
   * Scope: orders:read or keys:manage.
   */
  listWorkspaceGrants(
    query?: ListWorkspaceGrantsQuery,
    options?: CallOptions,
  ): Pages<ListWorkspaceGrantsReply, WorkspaceGrant>

  /**
   * Let another merchant act for this one. `POST /v1/me/workspace-grants`
   *
   * Within the scopes, all of which the credential must hold. What a test credential gives reaches the sandbox alone. A revoked grant is given again under its id; tokens made of it before stay dead. Ten times in 24 hours, then 409 limit_reached with details.again_at.
   *
   * Scope: keys:manage.
   */
  createWorkspaceGrant(body: CreateWorkspaceGrantBody, options?: CallOptions): Promise<CreateWorkspaceGrantReply>

  /**
   * Read what the merchant may do for another. `GET /v1/me/workspace-grants/active/for/{grantorMerchantId}`
   *
   * Scope: orders:read or keys:manage.
   */
  getActiveWorkspaceGrant(grantorMerchantId: string, options?: CallOptions): Promise<GetActiveWorkspaceGrantReply>

  /**
   * Revoke a workspace grant. `DELETE /v1/me/workspace-grants/{grantId}`
   *
   * By the merchant that gave it. Tokens made of it are dead at once. Revoking a revoked grant changes nothing.
   *
   * Scope: keys:manage.
   */
  revokeWorkspaceGrant(grantId: string, options?: CallOptions): Promise<RevokeWorkspaceGrantReply>

  /**
   * Submit your business for verification. `POST /v1/me/kyb/submit`
   *
   * Takes any object of at most 64 KiB: what your operator asks for. Submitting again, until the business is verified, replaces it. Documents are added by themselves.
   *
   * Scope: orders:read or orders:write.
   */
  submitKyb(body?: SubmitKybBody, options?: CallOptions): Promise<SubmitKybReply>

  /**
   * Prepare the upload of a document. `POST /v1/me/kyb/uploads/presign`
   *
   * The document is then sent to the address with the headers, once, within 15 minutes; its storage_key goes to POST /v1/me/kyb/documents within a day.
   *
   * Scope: orders:write.
   */
  presignKybUpload(body: PresignKybUploadBody, options?: CallOptions): Promise<PresignKybUploadReply>

  /**
   * Add an uploaded document. `POST /v1/me/kyb/documents`
   *
   * The upload must be there as it was announced. It is scanned for viruses (GET /v1/me/kyb/scan-jobs); what is infected cannot be opened and stands in the way of verification until you submit again.
   *
   * Scope: orders:write.
   */
  addKybDocument(body: AddKybDocumentBody, options?: CallOptions): Promise<AddKybDocumentReply>

  /**
   * List the virus scans of your documents. `GET /v1/me/kyb/scan-jobs`
   *
   * Newest first.
   *
   * Scope: orders:read or orders:write.
   */
  listKybScanJobs(query?: ListKybScanJobsQuery, options?: CallOptions): Pages<ListKybScanJobsReply, KybScanJob>
}
