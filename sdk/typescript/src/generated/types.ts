// Generated from gateway/openapi.json by `npm run generate`.

import type { Pages } from '../pages.ts'
import type { CallOptions } from '../send.ts'
import type { UnknownEventName } from '../unknown-event.ts'

export type Account = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Its name, for people. */
  name: string
  /** The name in lower case and dashes; unique. */
  slug: string
  /** An e-mail address. */
  email: string
  /** A phone number, in E.164: `+2348012345678` */
  phone: string | null
  /** What the merchant pays deliveries by: `pay_as_you_go`, `hybrid`, `saas` or `enterprise` */
  merchant_tier: string
  /** `active`, `trialing`, `past_due`, `canceled` or `compliance_hold`; the last three block new orders where billing is enforced. */
  billing_status: string
  /** When the paid period ends; null without one. */
  billing_period_end: string | null
  /** How far the business is verified; `verified` is the end. */
  kyb_status: string
  /** Whether an operator has approved the business for live orders. */
  business_approval_status: string
  /** Whether orders are offered to riders by themselves. */
  auto_dispatch_enabled: boolean
  /** How riders are asked: `one_by_one`, `batch` (`dispatch_batch_size` at a time) or `broadcast` (all who can be). */
  dispatch_mode: string
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** An IANA time zone, `Africa/Lagos` */
  timezone: string
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Where live events are posted; null while none is set. */
  outbound_webhook_url: string | null
  /** Whether events are posted. */
  outbound_webhook_enabled: boolean
  /** The same as `kyb_status` */
  kybStatus: string
  /** Whether a signing secret is set; the secret itself is never shown. */
  outboundWebhookSecretConfigured: boolean
}

export type ApiKey = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** A name that people gave it. */
  label: string | null
  /** How the key begins; it may be shown. */
  prefix: string
  /** How the key ends; it may be shown. */
  last4: string
  /** What the credential may do, as words. */
  scopes: Array<Scope>
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** Whether the key has the limits of enterprises. */
  enterprise_tier: boolean
  /** An operator has seen the key: it neither writes payout instruments nor withdraws. */
  made_by_operator: boolean
  /** When it was made. */
  created_at: string
  /** When it was last used; null before that. */
  last_used_at: string | null
  /** When it was revoked; null while it works. */
  revoked_at: string | null
}

/** GeoJSON Polygon or MultiPolygon; longitude, then latitude */
export type Area = {
  [name: string]: unknown
}

export type Billing = {
  /** What the merchant pays deliveries by: `pay_as_you_go`, `hybrid`, `saas` or `enterprise` */
  merchant_tier: string
  /** `active`, `trialing`, `past_due`, `canceled` or `compliance_hold`; the last three block new orders where billing is enforced. */
  billing_status: string
  /** When the paid period ends; null without one. */
  billing_period_end: string | null
  /** True where `billing_status` is `compliance_hold` */
  billing_compliance_hold: boolean
  /** Whether the billing status blocks anything. */
  billing_enforcement_enabled: boolean
  /** What the tier contains, for people. */
  billing_entitlements_note: string
  /** Where the subscription is managed at the payment provider; null without one. */
  subscription_manage_url: string | null
}

export type BillingUsage = {
  /** Live deliveries in this cycle so far. */
  deliveries_used: number
  /** null: the tier is not hybrid. */
  included_allowance: number | null
  /** Minor currency units. */
  overage_fee_minor: number
  /** When the cycle ends. */
  cycle_end: string
  /** Of the deliveries that the tier contains; may be above 100; null where the tier is not `hybrid` */
  usage_percent: number | null
  /** Whether there are more deliveries than the tier contains. */
  over_allowance: boolean
}

export type CashAccount = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
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
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** `cash_collected` at the door, `cash_remitted` to the merchant, or `cash_adjusted` by an operator. */
  entry_type: 'cash_collected' | 'cash_remitted' | 'cash_adjusted'
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** Positive: the rider has more in hand. */
  amount_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** The order that it is about. */
  order_id: string | null
  /** The hand-over to which it belongs; null without one. */
  remittance_id: string | null
  /** In words, for people. */
  description: string | null
  /** When it was made. */
  created_at: string
}

/** What became of the cash on delivery, as the rider said */
export type CashOnDelivery = {
  /** `collected` in full, `short` of what was expected, or `refused` */
  status: 'collected' | 'short' | 'refused'
  /** The cash that was to be collected, in minor currency units. */
  expected_minor: number
  /** The cash that was collected, in minor currency units. */
  collected_minor: number
  /** Null: the merchant's own. */
  currency: string | null
  /** Why less was paid. */
  reason: string | null
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** When it happened. */
  at: string
  [name: string]: unknown
}

/** A hand-over of cash from a rider to its merchant */
export type CashRemittance = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** `declared` until the merchant answers: `confirmed` in full or as less, or `disputed` until an operator has `resolved` it; `withdrawn` by the rider who declared it. */
  status: 'declared' | 'confirmed' | 'disputed' | 'resolved' | 'withdrawn'
  /** Minor currency units. */
  declared_minor: number
  /** What the merchant has of it so far. */
  received_minor: number
  /** Who said it first: `rider` or `merchant` */
  declared_by: 'rider' | 'merchant'
  /** A remark for people. */
  note: string | null
  /** Why it is less, or disputed. */
  reason: string | null
  /** When it was made. */
  created_at: string
  /** When it was decided; null before that. */
  decided_at: string | null
}

export type CashTotal = {
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** What riders have and owe. */
  in_hand_minor: number
  /** Minor currency units. */
  collected_minor: number
  /** Minor currency units. */
  remitted_minor: number
  /** What operators corrected in all, in minor currency units; may be below zero. */
  adjusted_minor: number
}

export type CreditedTopup = {
  /** What the payment provider knows the payment by; unique. */
  reference: string
  /** Minor currency units. */
  amount_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
}

export type Delivery = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Of the business event, constant over retries: deduplicate by it. */
  event_id: string
  /** The name of the event, `order.created` */
  event: string
  /** The order that it is about. */
  order_id: string | null
  /** `pending` while attempts are to come, `succeeded` once the endpoint took it, `dead` when all attempts have failed. */
  status: 'pending' | 'succeeded' | 'dead'
  /** How many attempts there were. */
  attempts: number
  /** After so many attempts the delivery is dead. */
  max_attempts: number
  /** When the next attempt is due; null where none will be made. */
  next_attempt_at: string | null
  /** The HTTP status of the last answer; null without one. */
  last_status_code: number | null
  /** Why the last attempt failed, as a word; null where it did not. */
  last_error: string | null
  /** Where it is sent. */
  url: string | null
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** When it was made. */
  created_at: string
  /** When the endpoint took it; null before that. */
  succeeded_at: string | null
  /** The fault of the sandbox that it met. */
  fault: string | null
  /** The attempts, the oldest first. */
  attempts_log: Array<DeliveryAttempt>
}

export type DeliveryAttempt = {
  /** One attempt to deliver; counted from 1. */
  attempt: number
  /** When it happened. */
  at: string
  /** Milliseconds until the answer, or until none was waited for. */
  duration_ms: number
  /** The HTTP status of the answer; null without one. */
  status_code: number | null
  /** Why it failed; null where it did not. */
  error: string | null
  /** How the body of the answer begins. */
  response_snippet: string | null
}

export type DispatchCandidate = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** The first name of a rider of no own fleet and no own order. */
  name: string
  /** Null for a rider of no own fleet and no own order. */
  phone: string | null
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type: string
  /** Latitude in degrees, WGS 84. */
  lat: number
  /** Longitude in degrees, WGS 84. */
  lng: number
  /** Metres. */
  distance_m: number
  /** Whether the rider takes offers. */
  is_online: boolean
  /** Seconds since the rider was there. */
  location_age_seconds: number
  /** Orders that the rider has under way. */
  active_orders: number
  /** Metres. */
  score_m: number
}

export type DispatchOffer = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The order that it is about. */
  order_id: string
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** `pending` until the rider answers: `accepted`, `declined`, or `expired` without an answer; `withdrawn` where it was taken back. */
  status: 'pending' | 'accepted' | 'declined' | 'expired' | 'withdrawn'
  /** Counts the rounds of the search from 1. */
  round: number
  /** The place among those who could be asked, counted on from those who were asked before; null where the rider could not be. */
  rank: number
  /** Metres. */
  score_m: number
  /** Metres. */
  distance_m: number
  /** What adds up to `score_m`: the way to the pickup, and metres for each order that the rider has under way. */
  score_parts: ScoreParts
  /** What the rider gets, in minor currency units; null where that is not known. */
  payout_minor: number | null
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** Cash that the rider is to collect at the door. */
  cod_amount_minor: number | null
  /** ISO 4217 of the cash on delivery; the merchant's own when absent. */
  cod_currency: string | null
  /** Where to collect. */
  pickup: Stop
  /** Where to deliver. */
  dropoff: Stop
  /** Until when it may be accepted. */
  expires_at: string
  /** When it was made. */
  created_at: string
  /** When the rider answered; null before that. */
  responded_at: string | null
}

export type DispatchTrace = {
  /** The order that it is about. */
  order_id: string
  /** The rounds of the search, the first one first. */
  rounds: Array<{
    /** Counts the rounds of the search from 1. */
    round: number
    /** Metres around the pickup within which was searched. */
    radius_m: number
    /** When it began. */
    started_at: string
    /** Those among whom there is a choice. */
    candidates: Array<{
      /** The rider whom it is about; null where there is none. */
      rider_id: string
      /** Whether the rider could be asked then. */
      included: boolean
      /** The place among those who could be asked, counted on from those who were asked before; null where the rider could not be. */
      rank: number | null
      /** Why the rider could not be asked: `already_offered`, `offline`, `stale_location`, `kyc`, `vehicle`, `out_of_reach`, `cod_cap` or `at_capacity`; null where it could. */
      reason: string | null
      distance_m: number | null
      score_m: number | null
      /** What adds up to `score_m`: the way to the pickup, and metres for each order that the rider has under way. */
      score_parts: ScoreParts | null
    }>
    /** The offers. */
    offers: Array<DispatchOffer>
  }>
}

export type DispatchZone = {
  /** Which kind, as a word. */
  type: 'Feature'
  geometry: Area
  /** What is said of the area. */
  properties: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** Its name, for people. */
    name: string
    /** Whether it counts; what is not active is kept and ignored. */
    active: boolean
    /** Of areas that overlap the one with the highest counts. */
    priority: number
    /** The merchant to whom it belongs. */
    merchant_id: string
    /** When it was made. */
    created_at: string
  }
}

export type EnvelopeOrder = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Where it came from. */
  source: string
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. */
  external_order_id: string
  /** Where the order stands; usually `pending`, `accepted`, `picked_up`, `in_transit`, `delivered`, `cancelled`, `returned_to_merchant` or `lost_in_transit`, but any other word may come. */
  status?: string
  /** The unified record: what was sent, standardized, and what became of it. */
  unified_json: UnifiedRecord
  /** Opens the order's tracking page, and lets a socket follow it; null for a draft. */
  tracking_token: string | null
  /** True for the sandbox, false for live; the two never meet. */
  is_test?: boolean
  /** Whether the `caller` named the vehicle or it was `derived` from size and weight; null without one. */
  vehicle_type_source?: 'caller' | 'derived' | null
  /** The tracking page for the customer; null where the platform has none. */
  customer_tracking_url?: string | null
  /** The rider; absent or null where there is none. */
  rider?: RiderSummary
  /** Priced at creation; null without both points. */
  fee_minor?: number | null
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency?: string | null
  /** The quote by which it is priced; null without one. */
  quote_id?: string | null
  eta?: Eta | null
  /** When it was cancelled; null unless it was. */
  cancelled_at?: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  [name: string]: unknown
}

/** Which of these there are depends on `error`; more may be added */
export type ErrorDetails = {
  /** Path of the first fault in the request: `standardized.items[1].name`; or the field that is in the way. */
  field?: string
  /** The rule that this field breaks: `required`, `type`, `range`, … */
  rule?: string
  /** Every fault of the request, the first among them; at most 100. */
  fields?: Array<FieldFault>
  /** There are more faults than `fields` holds. */
  truncated?: true
  /** The values, or the methods of a path, that would have been taken. */
  allowed?: Array<unknown>
  /** The bound that was passed; of `rate_limited` the name of the limit. */
  limit?: number | string
  /** The least that is taken, in minor currency units. */
  min_minor?: number
  /** The most that is taken, in minor currency units. */
  max_minor?: number
  /** The most bytes that are taken. */
  limit_bytes?: number
  /** Requests that the limit lets through in its window. */
  quota?: number
  /** Seconds that the window of the limit lasts. */
  window_seconds?: number
  /** What has no room for another socket: `address` or `process` */
  full?: string
  /** Why, as a word to decide by; the words may grow. */
  reason?: string
  /** What is wrong with the form of a credential: `scheme`, `not_a_key` or `checksum` */
  problem?: string
  /** The scopes of which one is needed, or the permissions that lack. */
  required?: Array<string>
  /** The path that was probably meant. */
  nearest?: string
  /** What the operator has switched off. */
  feature?: string
  /** The present status, which does not permit this. */
  status?: string
  /** The status that the request expected. */
  expected_status?: string
  /** What it is now. */
  from?: string
  /** What it was to become. */
  to?: string
  /** The action that was asked for. */
  action?: string
  /** The actions that would be taken now. */
  available_actions?: Array<string>
  /** The policy of cancellations that refuses. */
  policy?: string
  /** What differs from the order that exists. */
  changed_fields?: Array<string>
  /** The order that is in the way. */
  order_id?: string
  /** All orders that are in the way. */
  order_ids?: Array<string>
  /** The order that exists, by its sender's id. */
  external_order_id?: string
  /** The source of the order that exists. */
  source?: string
  /** The grant that exists. */
  grant_id?: string
  /** The reference that is used already. */
  reference?: string
  /** The subscription that exists. */
  subscription_code?: string
  /** The scenario that plays this order already. */
  scenario?: string
  /** How far the search for a rider is. */
  search?: string
  /** Ids of the documents that are in the way. */
  documents?: Array<string>
  /** Of the merchant. */
  billing_status?: string
  /** Of the merchant. */
  kyb_status?: string
  /** Of the merchant. */
  business_approval_status?: string
  /** Of the rider. */
  kyc_status?: string
  /** What was reported of the cash already. */
  cod_status?: string
  /** Who said it first: the other side must answer. */
  declared_by?: string
  /** What the rider has in hand, in minor currency units. */
  in_hand_minor?: number
  /** What no hand-over tells of yet, in minor currency units. */
  undeclared_minor?: number
  /** What the wallet would need, in minor currency units. */
  required_minor?: number
  /** What the wallet has, in minor currency units. */
  balance_minor?: number
  /** Which point lies outside: `pickup` or `dropoff` */
  point?: string
  /** Of this point, in degrees. */
  lat?: number | null
  /** Of this point, in degrees. */
  lng?: number | null
  /** Wrong codes that are taken before the code is locked. */
  attempts_left?: number
  /** When it ended. */
  expires_at?: string
  /** From when on it works again. */
  frozen_until?: string
  /** From when on it works again. */
  again_at?: string
  /** What goes on in the background; quote it when you ask. */
  intent_id?: string
  /** What there is to choose from. */
  candidates?: Array<{
    [name: string]: unknown
  }>
  /** The sign-up that waits for the choice. */
  signup_id?: string
  /** Until when the choice may be made. */
  signup_expires_at?: string
  [name: string]: unknown
}

export type EscrowEntry = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The order that it is about. */
  order_id: string
  /** `commission_hold`: into escrow; `commission_released`: out of it. */
  entry_type: 'commission_hold' | 'commission_released'
  /** Minor currency units. */
  amount_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** The rider whom it is about; null where there is none. */
  rider_id: string | null
  /** When it was made. */
  created_at: string
}

/** An end that lies behind is null */
export type Eta = {
  /** When the goods are as likely collected as not; null once they are. */
  pickup_p50_at: string | null
  /** When they are collected nine times out of ten; null once they are. */
  pickup_p90_at: string | null
  /** When the goods are as likely delivered as not; null once they are. */
  dropoff_p50_at: string | null
  /** When they are delivered nine times out of ten; null once they are. */
  dropoff_p90_at: string | null
}

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
  /** What this part of the price is for. */
  label: string
  /** This part of the price, in minor currency units. */
  amount_minor: number
}

/** One broken rule of one field */
export type FieldFault = {
  /** Path in the request: `standardized.items[1].name` */
  field: string
  /** The rule that is broken: `required`, `type`, `range`, … */
  rule: string
  /** For people; may change. */
  message: string
  /** The bound of the rule. */
  limit?: number
  /** The values, or the methods of a path, that would have been taken. */
  allowed?: Array<unknown>
}

/** GeoJSON: longitude, then latitude */
export type GeoPoint = {
  /** Which kind, as a word. */
  type: 'Point'
  /** As GeoJSON has them: longitude, then latitude, in degrees. */
  coordinates: [number, number]
}

export type IngestionChannel = {
  /** Of which third party it is. */
  channel: 'messaging-a' | 'storefront-a' | 'storefront-b' | 'payments-a' | 'payments-b' | 'email-a'
  /** Whether a secret of your own is set; the secret itself is never shown. */
  secret_configured: boolean
  /** When it last changed. */
  updated_at: string | null
  /** Of your shop; null where the channel needs none. */
  shop_domain: string | null
  /** The number at which you take orders; null where the channel needs none. */
  receiver_phone: string | null
  /** The word in the subject of mails that are orders; null: none is looked for. */
  subject_keyword: string | null
  /** Where orders of this channel are collected; null: their own address. */
  pickup: {
    /** In words. */
    address: string
    /** Latitude in degrees, WGS 84. */
    lat: number | null
    /** Longitude in degrees, WGS 84. */
    lng: number | null
  } | null
  /** Minutes from the order to the pickup, where the order names no time. */
  lead_minutes: number | null
  /** Minutes that the delivery window lasts, where the order names none. */
  window_minutes: number | null
}

export type InternalQuote = {
  /** The quote by which it is priced; null without one. */
  quote_id: string
  /** Who delivers: `freelancer` or `internal_fleet` */
  fulfillment_mode: 'internal_fleet'
  /** Who could take it. */
  internal_routing: {
    /** Riders of the merchant's fleet who could take it now. */
    fleet_riders_available: number
    /** Riders who could take it, the best first. */
    suggested_rider_ids: Array<string>
    /** A remark for people. */
    note: string
  }
  /** What the delivery costs, in minor currency units. */
  fee_minor: 0
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** Until when an order may use it. */
  expires_at: string
}

export type InviteCode = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** What the rider types to join. */
  code: string
  /** When it ends by itself. */
  expires_at: string
  /** When it was made. */
  created_at: string
}

export type KybDocument = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Names the uploaded file in later calls. */
  storage_key: string
  /** What the document shows. */
  document_type: string
  /** The name of the file, for people. */
  file_name: string
  /** The media type of the file. */
  content_type: string
  /** The length of the file in bytes. */
  size_bytes: number
  /** pending, scanning, clean, infected, failed or unavailable. */
  scan_status: string
  /** What was found, or why there is no verdict. */
  scan_detail: string | null
  /** When it was added. */
  added_at: string
  /** When it was searched for malware; null before that. */
  scanned_at: string | null
}

export type KybScanJob = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** pending, scanning, clean, infected, failed (it cannot be scanned) or unavailable (there is no scanner). */
  status: string
  /** What was found, or why there is no verdict. */
  detail: string | null
  /** Names the uploaded file in later calls. */
  storage_key: string
  /** What the document shows. */
  document_type: string
  /** The name of the file, for people. */
  file_name: string
  /** The media type of the file. */
  content_type: string
  /** The length of the file in bytes. */
  size_bytes: number
  /** When it was made. */
  created_at: string
  /** When it ended; null while it goes on. */
  finished_at: string | null
}

export type LedgerEntry = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The wallet that it is about. */
  wallet_id: string
  /** What moved the money: a `topup`, a commission, a shipment, a withdrawal, or an `adjustment` by the operator. A `_hold` or `_reserve` puts it aside, `_released`, `_release` and `_reversal` give it back; `withdrawal_paid` is of 0, as the amount was put aside before. */
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
  /** `credit` into the wallet, `debit` out of it. */
  direction: 'credit' | 'debit'
  /** Minor currency units. */
  amount_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** Available after this entry. */
  balance_after_minor: number
  /** The order that it is about. */
  order_id: string | null
  /** The shipment to which it belongs. */
  shipment_id: string | null
  /** The withdrawal to which it belongs; null without one. */
  withdrawal_id: string | null
  /** What the payment provider knows the payment by; null where it was none. */
  reference: string | null
  /** In words, for people. */
  description: string | null
  /** When it was made. */
  created_at: string
}

export type Location = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** Latitude in degrees, WGS 84. */
  lat: number
  /** Longitude in degrees, WGS 84. */
  lng: number
  /** Metres by which the position may be off; null where the device did not say. */
  accuracy_m: number | null
  /** Where the rider is heading, in degrees clockwise from north; null where that is not known. */
  heading_deg: number | null
  /** Metres a second; null where that is not known. */
  speed_mps: number | null
  /** When the rider was there, by its device. */
  recorded_at: string
  /** When we heard of it. */
  received_at: string
}

export type MessagingAppAsset = {
  /** Of the business account. */
  waba_id: string
  /** The phone number's id at the messaging app. */
  phone_number_id: string
  /** The phone number, as people read it. */
  display_phone_number: string | null
  /** The name under which the business writes. */
  verified_name: string | null
}

export type MessagingAppCandidates = {
  /** Those among whom there is a choice. */
  candidates: Array<MessagingAppAsset>
  /** The sign-up that waits for a choice; null without one. */
  signup_id: string | null
  /** Until when the choice may be made; null without one. */
  signup_expires_at: string | null
}

export type MessagingAppSdkConfig = {
  /** Of the platform's app. */
  app_id: string
  /** Of the app's sign-up. */
  config_id: string
  /** Of the messaging app's cloud. */
  api_version: string
}

export type MessagingAppStatus = {
  /** Whether it is connected, waits for a choice, or neither. */
  state: 'not_connected' | 'meta_oauth_pending' | 'connected'
  /** A signup waits for the choice of a phone number; an earlier connection stands until then. */
  meta_oauth_pending: boolean
  /** What is connected; null while nothing is. */
  connection: {
    /** Of the business account. */
    waba_id: string
    /** The phone number's id at the messaging app. */
    phone_number_id: string
    /** The phone number, as people read it. */
    display_phone_number: string | null
    /** The name under which the business writes. */
    verified_name: string | null
    /** When it was connected. */
    connected_at: string
  } | null
  /** The sign-up that waits for a choice; null without one. */
  signup_id: string | null
  /** Until when the choice may be made; null without one. */
  signup_expires_at: string | null
}

export type MintedApiKey = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** A name that people gave it. */
  label: string | null
  /** How the key begins; it may be shown. */
  prefix: string
  /** How the key ends; it may be shown. */
  last4: string
  /** What the credential may do, as words. */
  scopes: Array<Scope>
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** Whether the key has the limits of enterprises. */
  enterprise_tier: boolean
  /** An operator has seen the key: it neither writes payout instruments nor withdraws. */
  made_by_operator: boolean
  /** When it was made. */
  created_at: string
  /** When it was last used; null before that. */
  last_used_at: string | null
  /** When it was revoked; null while it works. */
  revoked_at: string | null
  /** The key itself; shown this once. */
  api_key: string
}

export type NamedPlace = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Its name, for people. */
  name: string
}

export type NearRider = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** The first name of a rider of no own fleet and no own order. */
  name: string
  /** Null for a rider of no own fleet and no own order. */
  phone: string | null
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type: string
  /** Latitude in degrees, WGS 84. */
  lat: number
  /** Longitude in degrees, WGS 84. */
  lng: number
  /** Metres. */
  distance_m: number
  /** Whether the rider takes offers. */
  is_online: boolean
  /** Seconds since the rider was there. */
  location_age_seconds: number
}

export type Order = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Where the order came from: as it was sent with it, or the channel that brought it. */
  source: string
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. */
  external_order_id: string
  /** Where the order stands; usually `pending`, `accepted`, `picked_up`, `in_transit`, `delivered`, `cancelled`, `returned_to_merchant` or `lost_in_transit`, but any other word may come. */
  status: string
  /** The unified record: what was sent, standardized, and what became of it. */
  unified_json: UnifiedRecord
  /** Opens the order's tracking page, and lets a socket follow it; null for a draft. */
  tracking_token: string | null
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** Whether the `caller` named the vehicle or it was `derived` from size and weight; null without one. */
  vehicle_type_source: 'caller' | 'derived' | null
  /** The tracking page for the customer; null where the platform has none. */
  customer_tracking_url: string | null
  /** The rider; absent or null where there is none. */
  rider?: RiderSummary
  /** Priced at creation; null without both points. */
  fee_minor: number | null
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string | null
  /** The quote by which it is priced; null without one. */
  quote_id: string | null
  eta: Eta | null
  /** When it was cancelled; null unless it was. */
  cancelled_at: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export type OrderEvent = {
  /** Its place in the log; to go on `after` it. */
  cursor: string
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** Counts the events of one order from 1. */
  sequence: number
  /** The order, as it stands now. */
  order: EnvelopeOrder
  /** The rider; absent or null where there is none. */
  rider?: RiderSummary
  /** The status before this change. */
  previous_status?: string
  /** With `order.status_updated`: the status that the order has now. */
  status?: string
  /** The rider who had it before; null where nobody had. */
  previous_rider_id?: string
  /** With order.eta_changed. */
  eta?: Eta
  [name: string]: unknown
}

export type OrderItem = {
  /** What it is. At most 200 characters. */
  name: string
  /** 1 when absent. */
  quantity?: number | null
  /** The sender's number of the article. */
  sku?: string | null
  unit_price_minor?: number | null
  /** ISO 4217 of `unit_price_minor` */
  currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  /** Whether it must be handled with care; false when absent. */
  is_fragile?: boolean | null
  /** As it is printed on the article. */
  barcode?: string | null
  /** Remarks for people. */
  notes?: string | null
  [name: string]: unknown
}

export type OrderRow = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Where it came from. */
  source: string
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. */
  external_order_id: string
  /** Where the order stands; usually `pending`, `accepted`, `picked_up`, `in_transit`, `delivered`, `cancelled`, `returned_to_merchant` or `lost_in_transit`, but any other word may come. */
  status: string
  /** The unified record: what was sent, standardized, and what became of it. */
  unified_json: UnifiedRecord
  /** Opens the order's tracking page, and lets a socket follow it; null for a draft. */
  tracking_token: string | null
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** Whether the `caller` named the vehicle or it was `derived` from size and weight; null without one. */
  vehicle_type_source: 'caller' | 'derived' | null
  /** The tracking page for the customer; null where the platform has none. */
  customer_tracking_url: string | null
  /** The rider; absent or null where there is none. */
  rider?: RiderSummary
  /** Priced at creation; null without both points. */
  fee_minor: number | null
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string | null
  /** The quote by which it is priced; null without one. */
  quote_id: string | null
  eta: Eta | null
  /** When it was cancelled; null unless it was. */
  cancelled_at: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** The same as `is_test` */
  isTest: boolean
  pickup_geo: GeoPoint | null
  dropoff_geo: GeoPoint | null
}

export type OutboundWebhook = {
  /** Where live events are posted; https; null while none is set. */
  url: string | null
  /** Whether it is switched on. */
  enabled: boolean
  /** The events that are sent; null: the six defaults. */
  events: Array<EventName>
  /** How bodies are signed: `v1` or `v2` */
  signature_version: 'v1' | 'v2'
  /** Where events of test orders are posted; null: to `url` */
  test_url: string | null
  /** Why it was disabled by the service. */
  disabled_reason: string | null
  /** When it last changed. */
  updated_at: string | null
  /** Whether a signing secret is set; the secret itself is never shown. */
  outboundWebhookSecretConfigured: boolean
  /** Whether test events have a signing secret of their own. */
  testOutboundWebhookSecretConfigured: boolean
  /** Only in the one reply after the service generated it. */
  secret?: string
}

export type PayoutInstrument = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Of the bank, as the payment provider lists it. */
  bank_code: string
  /** Of the bank, for people. */
  bank_name: string | null
  /** As the bank knows its owner. */
  account_name: string | null
  /** The last four digits of the account number. */
  account_last4: string
  /** Whether withdrawals that name no account go there. */
  is_default: boolean
  /** Until then nothing is paid out. */
  frozen_until: string | null
  /** When it was made. */
  created_at: string
}

export type PingWebhook = {
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** The delivery; constant over its retries. */
  delivery_id: string
  /** Only where you asked for a sample: nothing of what it tells has happened. */
  sample?: true
  [name: string]: unknown
}

export type Plan = {
  /** The plan, by its code at the payment provider. */
  plan_code: string
  /** Its name, for people. */
  name: string
  /** In words, for people. */
  description: string | null
  /** Minor currency units. */
  amount_minor: number
  /** How often it is paid. */
  interval: string
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
}

export type PlatformGeofence = {
  /** Which kind, as a word. */
  type: 'Feature'
  geometry: Area
  /** What is said of the area. */
  properties: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** Its name, for people. */
    name: string
    /** Whether it counts; what is not active is kept and ignored. */
    active: boolean
    /** Of areas that overlap the one with the highest counts. */
    priority: number
  }
}

export type PositionPoint = {
  /** Latitude in degrees, WGS 84. At least -90. At most 90. */
  lat: number
  /** Longitude in degrees, WGS 84. At least -180. At most 180. */
  lng: number
  /** Metres by which the position may be off; null where the device did not say. */
  accuracy_m?: number | null
  /** Metres a second; null where that is not known. */
  speed_mps?: number | null
  /** Clockwise from north. */
  heading_deg?: number | null
  /** When it is received, if absent. */
  recorded_at?: string | null
  /** Charge of the rider's device, 0 to 100. */
  battery_pct?: number | null
}

export type Quote = {
  /** The quote by which it is priced; null without one. */
  quote_id: string
  /** Who delivers: `freelancer` or `internal_fleet` */
  fulfillment_mode: 'freelancer'
  /** What the delivery costs, in minor currency units. */
  fee_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** Adds up to the fee. */
  breakdown: Array<FareLine>
  /** Metres of the way. */
  distance_m: number
  /** Seconds that the way takes. */
  duration_s: number
  /** geodesic or router. */
  distance_source: string
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type: string
  /** Until when an order may use it. */
  expires_at: string
  /** Whether the merchant's wallet bears the fee now. */
  wallet?: QuoteFunds
}

export type QuoteFunds = {
  /** What can be spent. */
  balance_minor: number
  /** Minor currency units. */
  required_minor: number
  /** Whether the wallet bears it. */
  sufficient: boolean
}

export type RealtimeRiderLocation = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Latitude in degrees, WGS 84. */
  lat: number
  /** Longitude in degrees, WGS 84. */
  lng: number
  /** Metres by which the position may be off; null where the device did not say. */
  accuracy_m: number | null
  /** Where the rider is heading, in degrees clockwise from north; null where that is not known. */
  heading_deg: number | null
  /** Metres a second; null where that is not known. */
  speed_mps: number | null
  /** When the rider was there, by its device. */
  recorded_at: string | null
  /** When we heard of it. */
  received_at: string | null
  /** Orders of this merchant that the rider has under way. */
  active_order_ids: Array<string>
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** Counts the positions of a rider: of two the larger one is newer. */
  seq: number
}

export type Rider = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** `merchant_fleet` or `freelancer` */
  rider_type: 'merchant_fleet' | 'freelancer'
  /** The merchant to whom it belongs. */
  merchant_id: string | null
  /** Its name, for people. */
  name: string
  /** A phone number, in E.164: `+2348012345678` */
  phone: string
  /** When the rider proved to have the phone; null before that. */
  phone_verified_at: string | null
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type: 'motorcycle' | 'car' | 'van' | 'truck'
  /** `pending`, `approved` or `rejected`; where the operator requires it only those who are `approved` may work. */
  kyc_status: 'pending' | 'approved' | 'rejected'
  /** Whether the rider takes offers. */
  is_online: boolean
  /** Where the rider was last; null where that is not known. */
  last_location: {
    /** Latitude in degrees, WGS 84. */
    lat: number
    /** Longitude in degrees, WGS 84. */
    lng: number
    /** When the rider was there, by its device. */
    recorded_at: string
  } | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Always null: riders are not rated. */
  rating: number | null
}

export type RiderMerchant = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Its name, for people. */
  name: string
  /** The name in lower case and dashes; unique. */
  slug: string
}

export type RiderSummary = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Its name, for people. */
  name: string | null
  /** A phone number, in E.164: `+2348012345678` */
  phone: string | null
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type: string | null
}

export type RiderTokens = {
  /** Goes into `Authorization: Bearer …`; a JWT. */
  access_token: string
  /** Not beside tokens minted with a merchant's key. */
  refresh_token?: string
  /** Seconds. */
  expires_in: number
  /** Seconds. */
  refresh_expires_in?: number
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** To which the token is bound. */
  merchant_id: string | null
  /** True for the rider of the sandbox. */
  is_sandbox: boolean
  /** Always `Bearer` */
  token_type: 'Bearer'
  /** The scopes of the access token, with spaces between them. */
  scope: 'riders:location'
  /** True for the sandbox, false for live; the two never meet. */
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
  /** True: a code is on its way. */
  sent: true
  /** Seconds. */
  expires_in: number
  /** Seconds until another code may be asked for. */
  cooldown_seconds: number
  /** When another code may be asked for. */
  resend_at: string
}

export type Shipment = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** `draft` until it is submitted, then `submitted`, `dispatching` once a rider has the first of its orders, `completed` when all of them have ended; or `cancelled` */
  status: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** How it was made: by the API or from a file. */
  source: string
  /** How many orders it has. */
  total_orders: number
  /** Minor currency units. */
  estimated_fee_minor: number
  hold_minor: number | null
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string | null
  /** Where all of its orders are collected. */
  pickup: {
    /** In words. */
    address: string
    /** Latitude in degrees, WGS 84. */
    lat: number | null
    /** Longitude in degrees, WGS 84. */
    lng: number | null
  } | null
  /** The rate card by which its orders are priced. */
  rate_card: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** Its name, for people. */
    name: string
    /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
    currency: string
  } | null
  /** When it was made. */
  created_at: string
  /** When it was submitted; null before that. */
  submitted_at: string | null
  /** When all of it had ended; null before that. */
  completed_at: string | null
  /** When it was cancelled; null unless it was. */
  cancelled_at: string | null
  /** How many of its orders have each status. */
  counts: {
    /** Orders that are not submitted yet. */
    draft: number
    /** Orders that wait for a rider. */
    pending: number
    /** Orders that a rider has accepted. */
    accepted: number
    /** Orders that were collected. */
    picked_up: number
    /** Orders on their way. */
    in_transit: number
    /** Orders that arrived. */
    delivered: number
    /** Orders that were cancelled. */
    cancelled: number
    /** Orders with any other status. */
    other: number
  } | null
}

export type ShipmentPickup = {
  /** In words. At most 500 characters. */
  address: string
  /** Latitude in degrees, WGS 84. */
  lat?: number | null
  /** Longitude in degrees, WGS 84. */
  lng?: number | null
}

export type ShipmentRow = {
  /** Who receives the goods. At most 200 characters. */
  recipient_name: string
  /** The phone number of the recipient. At most 64 characters. */
  recipient_phone: string
  /** Where to deliver, in words: 3 to 500 characters. At most 500 characters. */
  dropoff_address: string
  /** Latitude of the drop-off in degrees; with `dropoff_lng` or not at all. */
  dropoff_lat?: number | null
  /** Longitude of the drop-off in degrees; with `dropoff_lat` or not at all. */
  dropoff_lng?: number | null
  /** What it is, in words. */
  package_description?: string | null
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. */
  external_order_id?: string | null
}

export type Standardized = {
  /** Where to collect, in words: 3 to 500 characters. At most 500 characters. */
  pickup_address: string
  /** Where to deliver, in words: 3 to 500 characters. At most 500 characters. */
  dropoff_address: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  customer_phone: string
  /** ISO-8601 with offset or Z; in the future. Required. */
  scheduled_pickup_at: string
  /** ISO-8601 with offset or Z; before the window ends. Required. */
  delivery_window_start: string
  /** ISO-8601 with offset or Z; after the pickup. Required. */
  delivery_window_end: string
  /** Who receives the goods. */
  customer_name?: string | null
  /** Latitude of the pickup in degrees; with `pickup_lng` or not at all. */
  pickup_lat?: number | null
  /** Longitude of the pickup in degrees; with `pickup_lat` or not at all. */
  pickup_lng?: number | null
  /** Latitude of the drop-off in degrees; with `dropoff_lng` or not at all. */
  dropoff_lat?: number | null
  /** Longitude of the drop-off in degrees; with `dropoff_lat` or not at all. */
  dropoff_lng?: number | null
  /** Remarks for people. */
  notes?: string | null
  cod_amount_minor?: number | null
  /** ISO 4217 of the cash on delivery; the merchant's own when absent. */
  cod_currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  /** Whether it must be handled with care; false when absent. */
  is_fragile?: boolean | null
  /** The vehicle that is wanted; derived from size and weight when absent. */
  vehicle_type_hint?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** The rider who is to bring it; without one it is dispatched or waits. */
  rider_id?: string | null
  delivery_commission_minor?: number | null
  /** What is in the parcel; at most 200 entries. */
  items?: Array<OrderItem> | null
  [name: string]: unknown
}

export type Stop = {
  /** In words. */
  address: string
  /** Latitude in degrees, WGS 84. */
  lat: number | null
  /** Longitude in degrees, WGS 84. */
  lng: number | null
}

export type TokenPair = {
  /** Goes into `Authorization: Bearer …`; a JWT. */
  access_token: string
  /** Gets another access token; good for once. */
  refresh_token: string
  /** Seconds. */
  expires_in: number
  /** Seconds. */
  refresh_expires_in: number
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** null: a login, which sees both environments. */
  is_test: boolean | null
  /** The merchant for which the tokens act, where not their own. */
  grantor_merchant_id: string | null
  /** Always `Bearer` */
  token_type: 'Bearer'
  /** The scopes of the access token, with spaces between them. */
  scope: string
}

export type TopupEvent = {
  /** Its place in the log; to go on `after` it. */
  cursor: string
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** Counts the events of one top-up from 1. */
  sequence: number
  /** True for the sandbox, false for live; the two never meet. */
  is_test: false
  /** The top-up. */
  topup: CreditedTopup
  [name: string]: unknown
}

export type TopupWebhook = {
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** Counts the events of one top-up from 1. */
  sequence: number
  /** False, as money is live; true only in a sample. */
  is_test: boolean
  /** The top-up. */
  topup: CreditedTopup
  /** The delivery; constant over its retries. */
  delivery_id: string
  /** Only where you asked for a sample: nothing of what it tells has happened. */
  sample?: true
  [name: string]: unknown
}

export type Tracking = {
  /** Where the goods come from. */
  pickup: {
    /** The address in words. */
    text: string
  }
  /** Where they go. */
  dropoff: {
    /** The address in words. */
    text: string
  }
  /** Where the order stands; usually `pending`, `accepted`, `picked_up`, `in_transit`, `delivered`, `cancelled`, `returned_to_merchant` or `lost_in_transit`, but any other word may come. */
  status: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: boolean
  /** Where to collect, in words: 3 to 500 characters. */
  pickup_address: string
  /** Where to deliver, in words: 3 to 500 characters. */
  dropoff_address: string
  /** When the goods are to be collected. */
  scheduled_pickup_at: string | null
  /** From when on they may arrive. */
  delivery_window_start: string | null
  /** Until when they are to arrive. */
  delivery_window_end: string | null
  /** Who brings them; null before somebody has accepted. */
  rider: {
    /** The first name of the rider, no more. */
    first_name: string | null
    /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
    vehicle_type: string | null
    /** Where the rider is now; null where that is not known. */
    position: {
      /** Latitude in degrees, WGS 84. */
      lat: number
      /** Longitude in degrees, WGS 84. */
      lng: number
      /** When the rider was there, by its device. */
      recorded_at: string
    } | null
  } | null
  /** When the goods are expected; null once they are there, and where nobody knows. */
  eta: {
    /** The time that is as likely met as not. */
    p50_at: string
    /** The time that is met nine times out of ten. */
    p90_at: string
  } | null
  /** When it last changed. */
  updated_at: string
  /** Connect with the tracking token in `auth.tracking_token` */
  live_updates?: {
    /** The path below the address of the API. */
    path: string
    /** The protocol of the socket. */
    transport: 'socket.io'
    /** The events that such a socket receives. */
    event_catalog: Array<'tracking_status' | 'tracking_location'>
  }
}

export type UnifiedRecord = {
  /** Of the record; always `1` */
  schema_version: '1'
  /** Where the order stands; usually `pending`, `accepted`, `picked_up`, `in_transit`, `delivered`, `cancelled`, `returned_to_merchant` or `lost_in_transit`, but any other word may come. */
  status: string
  /** Whether its payment is confirmed, as its merchant or channel says. */
  payment_verified?: boolean
  /** What the sender sent, as it was; kept and never read. */
  raw_payload: {
    [name: string]: unknown
  }
  /** The order in our words; names that we do not know are kept. */
  standardized: {
    [name: string]: unknown
  }
  /** Proof of delivery: how, when and by whom; absent before that. */
  pod?: {
    [name: string]: unknown
  }
  cod?: CashOnDelivery
  [name: string]: unknown
}

export type Wallet = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** available_minor + held_minor. */
  balance_minor: number
  /** What can be spent. */
  available_minor: number
  /** What is put aside for withdrawals and commissions. */
  held_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** When it last changed. */
  updated_at: string
}

export type WebhookEnvelope = {
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** Counts the events of one order from 1. */
  sequence: number
  /** The order, as it stands now. */
  order: EnvelopeOrder
  /** The rider; absent or null where there is none. */
  rider?: RiderSummary
  /** The status before this change. */
  previous_status?: string
  /** With `order.status_updated`: the status that the order has now. */
  status?: string
  /** The rider who had it before; null where nobody had. */
  previous_rider_id?: string
  /** With order.eta_changed. */
  eta?: Eta
  /** The delivery; constant over its retries. */
  delivery_id: string
  /** Only where you asked for a sample: nothing of what it tells has happened. */
  sample?: true
  [name: string]: unknown
}

export type Withdrawal = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** Whose wallet: of a `merchant` or a `rider` */
  owner_type: 'merchant' | 'rider'
  /** The merchant or the rider. */
  owner_id: string
  /** Minor currency units. */
  amount_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** `pending_review` until an operator decides, `approved` and `processing` on the way to the bank, then `paid`; with `rejected`, `cancelled` and `failed` the money is back in the wallet. A `paid` one that comes back is `failed`, and an operator may pay a `failed` one out again. */
  status: 'pending_review' | 'approved' | 'processing' | 'paid' | 'failed' | 'rejected' | 'cancelled'
  /** The bank account to which it goes. */
  payout_instrument_id: string
  /** The last four digits of the account number. */
  account_last4: string
  /** Of the bank, as the payment provider lists it. */
  bank_code: string
  /** Why it was refused or came back; null unless it did. */
  failure_reason: string | null
  /** The operator who decided or paid it out again last; null before that. */
  reviewed_by: string | null
  /** When an operator decided, or paid it out again last; null before that. */
  reviewed_at: string | null
  /** When we learned from the payment provider that it arrived; null before that, and once it came back. */
  paid_at: string | null
  /** Of the latest attempt to pay it out. */
  provider_reference: string | null
  /** When it was made. */
  created_at: string
}

export type WithdrawalEvent = {
  /** Its place in the log; to go on `after` it. */
  cursor: string
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** Counts the events of one withdrawal from 1. */
  sequence: number
  /** True for the sandbox, false for live; the two never meet. */
  is_test: false
  /** The withdrawal, as it stands now. */
  withdrawal: Withdrawal
  [name: string]: unknown
}

export type WithdrawalWebhook = {
  /** The name of the event, `order.created` */
  event: string
  /** Constant over retries of one business event; deduplicate by it. */
  event_id: string
  /** When it happened, by our clock. */
  occurred_at: string
  /** The merchant to whom it belongs. */
  merchant_id: string
  /** Of the body; always `v1` */
  api_version: 'v1'
  /** Counts the events of one withdrawal from 1. */
  sequence: number
  /** False, as money is live; true only in a sample. */
  is_test: boolean
  /** The withdrawal, as it stands now. */
  withdrawal: Withdrawal
  /** The delivery; constant over its retries. */
  delivery_id: string
  /** Only where you asked for a sample: nothing of what it tells has happened. */
  sample?: true
  [name: string]: unknown
}

export type WorkspaceGrant = {
  /** Its id: an opaque string of at most 64 characters. */
  id: string
  /** For whom. */
  grantor_merchant_id: string
  /** Who may act. */
  grantee_merchant_id: string
  /** What the credential may do, as words. */
  scopes: Array<Scope>
  /** true: given by a test credential, it reaches the sandbox alone. */
  is_test: boolean
  /** `active`, or `revoked`: then it permits nothing. */
  status: 'active' | 'revoked'
  /** When it was made. */
  created_at: string
  /** When it was revoked; null while it works. */
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
  | (PingWebhook & { event: 'webhook.ping' })
  | (Pick<WebhookEnvelope, 'event_id' | 'occurred_at' | 'merchant_id' | 'api_version' | 'delivery_id'> & {
      event: UnknownEventName
      [name: string]: unknown
    })

/** An entry of the event log, told apart by `event`. */
export type Event =
  | (OrderEvent & {
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
  | (WithdrawalEvent & {
      event:
        | 'withdrawal.requested'
        | 'withdrawal.approved'
        | 'withdrawal.processing'
        | 'withdrawal.paid'
        | 'withdrawal.failed'
        | 'withdrawal.rejected'
        | 'withdrawal.cancelled'
    })
  | (TopupEvent & { event: 'wallet.topup_credited' })
  | (Pick<OrderEvent, 'cursor' | 'event_id' | 'occurred_at' | 'merchant_id' | 'api_version' | 'sequence'> & {
      event: UnknownEventName
      [name: string]: unknown
    })

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
  /** Where you sell: a word of yours, `api` for instance. At most 64 characters. */
  source: string
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. At most 512 characters. */
  external_order_id: string
  /** Opaque; may be empty. */
  raw_payload: {
    [name: string]: unknown
  }
  /** The order in our words; names that we do not know are kept. */
  standardized: Standardized
  /** Pins the fee of an earlier quote. */
  quote_id?: string | null
}

export type CreateOrderReply = {
  /** The order, as it stands now. */
  order: Order
  /** True where this order or scenario existed already and nothing was done. */
  idempotent: boolean
  /** For a person to look at; nothing is changed or refused by it. The point may be far from where orders for the same phone and address were handed over. */
  warnings: Array<string>
}

export interface ListOrdersQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** next_cursor of an earlier page; replaces offset */
  cursor?: string
  /** Only those that came from there */
  source?: string
  /** Only the order with this id at its sender */
  external_order_id?: string
  /** Only those of the sandbox, or only live ones; both, as far as the credential sees both, when absent */
  is_test?: boolean
  /** Only those with this status */
  status?: string
  /** Only those with this mark */
  payment_verified?: boolean
}

export type ListOrdersReply = {
  /** The orders of the page. */
  orders: Array<OrderRow>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
  /** Asks for the next page as `cursor` or `after`; null on the last one. */
  next_cursor: string | null
}

export type PreflightOrderBody = {
  /** Must be 1. */
  schema_version: '1' | 1
  /** Where it came from. At most 64 characters. */
  source: string
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. At most 512 characters. */
  external_order_id: string
  /** Opaque; may be empty. */
  raw_payload: {
    [name: string]: unknown
  }
  /** The order in our words; names that we do not know are kept. */
  standardized: Standardized
  /** Pins the fee of an earlier quote. */
  quote_id?: string | null
}

export type PreflightOrderReply = {
  /** True where the order would be taken. */
  ok: boolean
  /** Every reason why the order would be refused; empty where it would be taken. */
  failures: Array<{
    /** The code with which it would be refused. */
    error: string
    /** In words, for people; may change. */
    message: string
    /** What the error tells besides, as in `details` of errors. */
    details: {
      [name: string]: unknown
    }
  }>
  /** What it would cost; null where it cannot be priced. */
  quote: {
    /** Minor currency units. */
    fee_minor: number
    /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
    currency: string
    /** The quote by which it is priced; null without one. */
    quote_id: string | null
    /** The rate card by which it is priced. */
    rate_card_id: string
    /** Counts the changes of this rate card. */
    rate_card_version: number
  } | null
  /** For a person to look at; nothing is changed or refused by it. The point may be far from where orders for the same phone and address were handed over. */
  warnings: Array<string>
}

export type GetOrderReply = {
  /** The order, as it stands now. */
  order: Order
}

export type UpdateOrderBody = {
  /** The status that the order shall have; any word of at most 128 characters unless the operator admits only the usual ones. At most 128 characters. */
  status?: string
  /** Whether its payment is confirmed, as its merchant or channel says. */
  payment_verified?: boolean
  /** Refused with 409 while the order has another status. At most 128 characters. */
  expected_status?: string
}

export type UpdateOrderReply = {
  /** The order, as it stands now. */
  order: Order
}

export type CancelOrderBody = {
  /** Why it is cancelled: a word or words of yours, kept with the order. At most 512 characters. */
  reason: string
  /** Remarks for people. At most 2000 characters. */
  notes?: string
}

export type CancelOrderReply = {
  /** The order, as it stands now. */
  order: Order
  /** True where it was cancelled before: this call changed nothing. */
  already_cancelled?: true
}

export type AssignRiderBody = {
  /** null: nobody. */
  rider_id: string | null
}

export type AssignRiderReply = {
  /** The order, as it stands now. */
  order: Order
  /** The rider who had it before; null where nobody had. */
  previous_rider_id: string | null
}

export interface ListDispatchCandidatesQuery {
  /** Latitude in degrees, WGS 84 */
  lat: number
  /** Longitude in degrees, WGS 84 */
  lng: number
  /** Within this distance */
  metres?: number
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
}

export type ListDispatchCandidatesReply = {
  /** The order that it is about. */
  order_id: string
  /** Latitude in degrees, WGS 84. */
  lat: number
  /** Longitude in degrees, WGS 84. */
  lng: number
  /** The distance within which was searched. */
  metres: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** Those among whom there is a choice. */
  candidates: Array<DispatchCandidate>
}

export type GetDispatchTraceReply = DispatchTrace

export interface ListShipmentsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those with this status */
  status?: 'draft' | 'submitted' | 'dispatching' | 'completed' | 'cancelled'
}

export type ListShipmentsReply = {
  /** The page, in the order that the list promises. */
  items: Array<Shipment>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type CreateShipmentBody = {
  /** A draft may lack it; submitting takes it. */
  pickup?: ShipmentPickup | null
  /** One row for each drop-off, at least one. */
  orders: Array<ShipmentRow>
  /** ISO-8601 with offset or Z. An hour after the submit unless given, or when dispatch is open next. */
  scheduled_pickup_at?: string | null
  /** ISO-8601 with offset or Z. The pickup unless given. */
  delivery_window_start?: string | null
  /** ISO-8601 with offset or Z. Eight hours after the pickup unless given. */
  delivery_window_end?: string | null
}

export type CreateShipmentReply = {
  /** The shipment to which it belongs. */
  shipment_id: string
  /** How many orders it has. */
  total_orders: number
  /** Minor currency units. */
  estimated_fee_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string | null
}

export type UploadShipmentReply = {
  /** The shipment to which it belongs. */
  shipment_id: string
  /** How many orders it has. */
  total_orders: number
  /** Minor currency units. */
  estimated_fee_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string | null
  /** Rows of the file that became orders. */
  rows_parsed: number
  /** Rows of the file that did not; `errors` says why. */
  rows_failed: number
  /** What is wrong, entry by entry. */
  errors: Array<{
    /** The row of the file, counted from 1 without the head. */
    row: number
    /** The field that is meant. */
    field: string
    /** In words, for people; may change. */
    message: string
  }>
}

export type GetShipmentReply = {
  /** The shipment, as it stands now. */
  shipment: Shipment
  /** How many orders it has. */
  child_order_count: number
}

export type SubmitShipmentReply = {
  /** The shipment to which it belongs. */
  shipment_id: string
  /** The status of the shipment now; see `Shipment` */
  status: string
  /** How many orders it has. */
  total_orders: number
  /** Minor currency units. */
  hold_minor: number
  /** When it was submitted; null before that. */
  submitted_at: string
  /** True where it was submitted before: this call changed nothing. */
  already_submitted?: true
}

export type CancelShipmentReply = {
  /** The shipment, as it stands now. */
  shipment: Shipment
  /** True where it was cancelled before: this call changed nothing. */
  already_cancelled?: true
}

export type CreateSimulatorOrderBody = {
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. At most 512 characters. */
  external_order_id: string
  /** Where to collect, in words: 3 to 500 characters. At most 500 characters. */
  pickup_address: string
  /** Where to deliver, in words: 3 to 500 characters. At most 500 characters. */
  dropoff_address: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  customer_phone: string
  /** 15 minutes from now when absent. */
  scheduled_pickup_at?: string
  /** 15 minutes from now when absent. */
  delivery_window_start?: string
  /** 2 hours from now when absent. */
  delivery_window_end?: string
  /** Who receives the goods. */
  customer_name?: string | null
  /** Latitude of the pickup in degrees; with `pickup_lng` or not at all. */
  pickup_lat?: number | null
  /** Longitude of the pickup in degrees; with `pickup_lat` or not at all. */
  pickup_lng?: number | null
  /** Latitude of the drop-off in degrees; with `dropoff_lng` or not at all. */
  dropoff_lat?: number | null
  /** Longitude of the drop-off in degrees; with `dropoff_lat` or not at all. */
  dropoff_lng?: number | null
  /** Remarks for people. */
  notes?: string | null
  cod_amount_minor?: number | null
  /** ISO 4217 of the cash on delivery; the merchant's own when absent. */
  cod_currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  /** Whether it must be handled with care; false when absent. */
  is_fragile?: boolean | null
  /** The vehicle that is wanted; derived from size and weight when absent. */
  vehicle_type_hint?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** The rider who is to bring it: the sandbox rider. */
  rider_id?: string | null
  delivery_commission_minor?: number | null
  /** What is in the parcel; at most 200 entries. */
  items?: Array<OrderItem> | null
  /** false mutes the webhook of order.created. true unless given. */
  emit_webhooks?: boolean
  [name: string]: unknown
}

export type CreateSimulatorOrderReply = {
  /** True: it was done. */
  ok: true
  /** The order that it is about. */
  order_id: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: true
  /** The sandbox rider, who plays the order. */
  simulator_rider_id: string
  /** The order, as it stands now. */
  order: Order
  /** True where this order or scenario existed already and nothing was done. */
  idempotent: boolean
  /** What the rider may do next. */
  available_actions: Array<'accept' | 'pickup' | 'deliver'>
  /** In words, for people; may change. */
  message: string
}

export type SimulateRiderActionBody = {
  /** The order that it is about. At most 64 characters. */
  order_id: string
  /** What the rider does now. */
  action: 'accept' | 'pickup' | 'deliver'
  /** Refuses actions out of sequence with 409. false unless given. */
  strict?: boolean
}

export type SimulateRiderActionReply = {
  /** True: it was done. */
  ok: true
  /** The order that it is about. */
  order_id: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: true
  /** The sandbox rider, who plays the order. */
  simulator_rider_id: string
  /** The order, as it stands now. */
  order: Order
  /** What the rider does now. */
  action: 'accept' | 'pickup' | 'deliver'
  /** The status before this change. */
  previous_status: string
  /** The status that the order has now. */
  status: string
  /** Whether the order changed. */
  changed: boolean
  /** True where the act does not follow from the status; it was done all the same. */
  out_of_sequence: boolean
  /** The events that this act announced. */
  events: Array<{
    /** The name of the event, `order.created` */
    event: string
    /** Of the business event, constant over retries: deduplicate by it. */
    event_id: string
  }>
  /** What the rider may do next. */
  available_actions: Array<'accept' | 'pickup' | 'deliver'>
}

export type CreateAutoSimulatorOrderBody = {
  /** The order's id at its sender; with `source` it is unique for a merchant and environment, for ever. At most 512 characters. */
  external_order_id: string
  /** Where to collect, in words: 3 to 500 characters. At most 500 characters. */
  pickup_address: string
  /** Where to deliver, in words: 3 to 500 characters. At most 500 characters. */
  dropoff_address: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  customer_phone: string
  /** 15 minutes from now when absent. */
  scheduled_pickup_at?: string
  /** 15 minutes from now when absent. */
  delivery_window_start?: string
  /** 2 hours from now when absent. */
  delivery_window_end?: string
  /** Who receives the goods. */
  customer_name?: string | null
  /** Latitude of the pickup in degrees; with `pickup_lng` or not at all. */
  pickup_lat?: number | null
  /** Longitude of the pickup in degrees; with `pickup_lat` or not at all. */
  pickup_lng?: number | null
  /** Latitude of the drop-off in degrees; with `dropoff_lng` or not at all. */
  dropoff_lat?: number | null
  /** Longitude of the drop-off in degrees; with `dropoff_lat` or not at all. */
  dropoff_lng?: number | null
  /** Remarks for people. */
  notes?: string | null
  cod_amount_minor?: number | null
  /** ISO 4217 of the cash on delivery; the merchant's own when absent. */
  cod_currency?: string | null
  weight_kg?: number | null
  length_cm?: number | null
  width_cm?: number | null
  height_cm?: number | null
  /** Whether it must be handled with care; false when absent. */
  is_fragile?: boolean | null
  /** The vehicle that is wanted; derived from size and weight when absent. */
  vehicle_type_hint?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** The rider who is to bring it: the sandbox rider. */
  rider_id?: string | null
  delivery_commission_minor?: number | null
  /** What is in the parcel; at most 200 entries. */
  items?: Array<OrderItem> | null
  /** false mutes the webhook of order.created. true unless given. */
  emit_webhooks?: boolean
  /** 0 fires everything at once. At least 0. At most 600000. 3000 unless given. */
  step_delay_ms?: number
  [name: string]: unknown
}

export type CreateAutoSimulatorOrderReply = {
  /** True: it was done. */
  ok: true
  /** The order that it is about. */
  order_id: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: true
  /** The sandbox rider, who plays the order. */
  simulator_rider_id: string
  /** The order, as it stands now. */
  order: Order
  /** True where this order or scenario existed already and nothing was done. */
  idempotent: boolean
  /** Whether the order goes its way by itself. */
  auto_progress: boolean
  /** Milliseconds between two steps. */
  step_delay_ms: number
  /** What will happen, and when. */
  timeline: Array<{
    /** The name of the event, `order.created` */
    event: string
    /** When the step is played. */
    fires_at: string
    /** The status that the order will have then. */
    status: string
    /** The events that the step announces. */
    events: Array<string>
  }>
  /** In words, for people; may change. */
  message: string
}

export type StartScenarioBody = {
  /** The order that it is about. At most 64 characters. */
  order_id: string
  /** Which story is played: its name. */
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
  /** True: it was done. */
  ok: true
  /** The order that it is about. */
  order_id: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: true
  /** Which story is played: its name. */
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
  /** How far it is. */
  state: 'running' | 'completed' | 'stopped'
  /** Milliseconds between two steps. */
  step_delay_ms: number
  /** The sandbox rider, who plays the order. */
  simulator_rider_id: string
  /** The steps, in their order. */
  steps: Array<{
    /** What is played: a status, or an act of the rider. */
    step: string
    /** When the step is played. */
    fires_at: string
    /** How far it is. */
    state: 'pending' | 'done' | 'failed' | 'skipped'
    /** When it ended; null while it goes on. */
    ended_at: string | null
    /** The code of the error that refused the step. */
    error: string | null
  }>
  /** True where this order or scenario existed already and nothing was done. */
  idempotent: boolean
}

export type GetScenarioReply = {
  /** True: it was done. */
  ok: true
  /** The order that it is about. */
  order_id: string
  /** True for the sandbox, false for live; the two never meet. */
  is_test: true
  /** Which story is played: its name. */
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
  /** How far it is. */
  state: 'running' | 'completed' | 'stopped'
  /** Milliseconds between two steps. */
  step_delay_ms: number
  /** The sandbox rider, who plays the order. */
  simulator_rider_id: string
  /** The steps, in their order. */
  steps: Array<{
    /** What is played: a status, or an act of the rider. */
    step: string
    /** When the step is played. */
    fires_at: string
    /** How far it is. */
    state: 'pending' | 'done' | 'failed' | 'skipped'
    /** When it ended; null while it goes on. */
    ended_at: string | null
    /** The code of the error that refused the step. */
    error: string | null
  }>
}

export type SetTestWalletBody = {
  /** Minor currency units. At least 0. */
  balance_minor: number
}

export type SetTestWalletReply = {
  /** The wallet, as it stands now. */
  wallet: Wallet
}

export type AdvanceClockBody = {
  /** How many seconds. At least 1. At most 2592000. */
  seconds: number
}

export type AdvanceClockReply = {
  /** What the clock of the sandbox shows. */
  now: string
}

export type PutWebhookFaultsBody = {
  /** What deliveries of the sandbox meet, in this order. */
  faults: Array<{
    /** Which kind, as a word. */
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
  /** What deliveries of the sandbox meet, in this order. */
  faults: Array<{
    /** Which kind, as a word. */
    kind: 'drop' | 'delay' | 'duplicate' | 'reorder'
    /** Of these events alone; none: of each. */
    events: Array<string>
    /** How many times. */
    count: number
    /** Milliseconds that the answer is held back. */
    delay_ms: number
    /** Deliveries that have still to meet it. */
    remaining: number
  }>
}

export type GetWebhookFaultsReply = {
  /** What deliveries of the sandbox meet, in this order. */
  faults: Array<{
    /** Which kind, as a word. */
    kind: 'drop' | 'delay' | 'duplicate' | 'reorder'
    /** Of these events alone; none: of each. */
    events: Array<string>
    /** How many times. */
    count: number
    /** Milliseconds that the answer is held back. */
    delay_ms: number
    /** Deliveries that have still to meet it. */
    remaining: number
  }>
}

export type GetOutboundWebhookReply = OutboundWebhook

export type UpdateOutboundWebhookBody = {
  /** Public https address of at most 2048 characters, or null. */
  url?: string | null
  /** Whether it is switched on. */
  enabled?: boolean
  /** Signing secret; null clears it. */
  secret?: string | null
  /** Another name of secret. */
  outbound_webhook_secret?: string | null
  /** The events that shall be sent, the whole list; null: the six defaults. */
  events?: Array<EventName>
  /** How bodies are signed: `v1` or `v2` */
  signature_version?: 'v1' | 'v2'
  /** The url of the sandbox endpoint. */
  test_url?: string | null
  /** The secret of the sandbox endpoint. */
  test_secret?: string | null
}

export type UpdateOutboundWebhookReply = OutboundWebhook

export type TestOutboundWebhookBody = {
  /** Of what a sample is sent. */
  event?:
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
    | 'webhook.ping'
}

export type TestOutboundWebhookReply = {
  /** True where the endpoint answered with 2xx. */
  ok: boolean
  /** Of the business event, constant over retries: deduplicate by it. */
  event_id: string
  /** One attempt to deliver; counted from 1. */
  attempt: DeliveryAttempt
}

export type RotateOutboundWebhookSecretReply = {
  /** The secret, shown this once. */
  secret: string
  /** Until when bodies are signed with the former secret too. */
  previous_secret_expires_at: string | null
}

export type ReplayEventsBody = {
  /** From this time on, this instant included. At most 64 characters. */
  since: string
  /** Before this time. At most 64 characters. */
  until?: string
  /** Only events of these names; all when absent. */
  events?: Array<EventName>
  /** Only deliveries with this status; all when absent. */
  status?: 'pending' | 'succeeded' | 'dead'
}

export type ReplayEventsReply = {
  /** How many events will be sent. */
  queued: number
}

export interface ListDeliveriesQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those of this order */
  order_id?: string
  /** Only those with this status */
  status?: 'pending' | 'succeeded' | 'dead'
  /** Only events of this name */
  event?: string
}

export type ListDeliveriesReply = {
  /** The page, in the order that the list promises. */
  items: Array<Delivery>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type RetryDeliveryReply = {
  /** True: it was done. */
  ok: true
  /** The delivery, as it stands now. */
  delivery: Delivery
}

export interface ListEventsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** The cursor of an event, or next_cursor of a page; latest: of the end of the log. Without it from the oldest on */
  after?: string
  /** Only those of this order */
  order_id?: string
}

export type ListEventsReply = {
  /** The events, the oldest first. */
  events: Array<Event>
  /** The cursor of the last of them, to go on `after` it; null where there is none, unless that was `after` the latest. */
  next_cursor: string | null
}

export type TrackOrderReply = Tracking

export type PublicTrackOrderReply = Tracking

export interface CheckCoverageQuery {
  /** Latitude in degrees, WGS 84 */
  lat?: number
  /** Longitude in degrees, WGS 84 */
  lng?: number
  /** Latitude of the pickup in degrees */
  pickup_lat?: number
  /** Longitude of the pickup in degrees */
  pickup_lng?: number
  /** Latitude of the drop-off in degrees */
  dropoff_lat?: number
  /** Longitude of the drop-off in degrees */
  dropoff_lng?: number
  /** For this vehicle */
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck'
}

export type CheckCoverageReply = {
  /** Whether it is served. */
  covered: boolean
  /** Places, one after another. */
  points: Array<{
    /** Which one: `pickup` or `dropoff` */
    point: 'pickup' | 'dropoff' | 'point'
    /** Latitude in degrees, WGS 84. */
    lat: number
    /** Longitude in degrees, WGS 84. */
    lng: number
    /** Whether it is served. */
    covered: boolean
    /** The zone in which it lies; null outside of all. */
    zone: NamedPlace | null
    /** The area of the platform in which it lies; null outside of all. */
    platform_geofence: NamedPlace | null
    /** `outside_zones` or `no_rate_card`: why it is not served; null where it is. */
    reason: string | null
  }>
  /** The rate card by which it is priced; null where none fits. */
  rate_card: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** Its name, for people. */
    name: string
    /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
    currency: string
  } | null
  /** outside_zones or no_rate_card. */
  reason: string | null
}

export interface PreviewFareQuery {
  /** Latitude of the pickup in degrees */
  pickup_lat: number
  /** Longitude of the pickup in degrees */
  pickup_lng: number
  /** Latitude of the drop-off in degrees */
  dropoff_lat: number
  /** Longitude of the drop-off in degrees */
  dropoff_lng: number
  /** For this vehicle */
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck'
  /** Kilograms */
  weight_kg?: number
  /** Whether it must be handled with care */
  is_fragile?: boolean
}

export type PreviewFareReply = {
  /** Whether it is served. */
  covered: true
  /** What it would cost, in minor currency units. */
  fare_minor: number
  /** ISO 4217: `NGN`; where it may be null, of an amount that is null. */
  currency: string
  /** Adds up to the fee. */
  breakdown: Array<FareLine>
  /** Metres of the way. */
  distance_m: number
  /** Seconds that the way takes. */
  duration_s: number
  /** geodesic or router. */
  distance_source: string
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type: string
  /** When it ends by itself. */
  expires_at: string
  /** The rate card by which it is priced; null where none fits. */
  rate_card: {
    /** Its name, for people. */
    name: string
    /** Counts its changes. */
    version: number
  }
}

export type CreateQuoteBody = {
  /** Who delivers: `freelancer` or `internal_fleet` "freelancer" unless given. */
  fulfillment_mode?: 'freelancer' | 'internal_fleet'
  /** Latitude of the pickup in degrees; with `pickup_lng` or not at all. */
  pickup_lat?: number | null
  /** Longitude of the pickup in degrees; with `pickup_lat` or not at all. */
  pickup_lng?: number | null
  /** Latitude of the drop-off in degrees; with `dropoff_lng` or not at all. */
  dropoff_lat?: number | null
  /** Longitude of the drop-off in degrees; with `dropoff_lat` or not at all. */
  dropoff_lng?: number | null
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** Kilograms. */
  weight_kg?: number | null
  /** Centimetres. */
  length_cm?: number | null
  /** Centimetres. */
  width_cm?: number | null
  /** Centimetres. */
  height_cm?: number | null
  /** Whether it must be handled with care; false when absent. */
  is_fragile?: boolean | null
  /** When the goods are to be collected. */
  scheduled_pickup_at?: string | null
  cod_amount_minor?: number | null
}

export type CreateQuoteReply = Quote | InternalQuote

export interface ListRidersNearQuery {
  /** Latitude in degrees, WGS 84 */
  lat: number
  /** Longitude in degrees, WGS 84 */
  lng: number
  /** Within this distance */
  metres?: number
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** Only riders who are online */
  online_only?: boolean
}

export type ListRidersNearReply = {
  /** The page, in the order that the list promises. */
  items: Array<NearRider>
  /** Latitude in degrees, WGS 84. */
  lat: number
  /** Longitude in degrees, WGS 84. */
  lng: number
  /** The distance within which was searched. */
  metres: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
}

export interface ListPositionHistoryQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** From this time on, this instant included */
  since?: string
  /** Before this time */
  until?: string
  /** `asc`: the oldest first, `desc`: the newest first */
  order?: 'asc' | 'desc'
}

export type ListPositionHistoryReply = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** The page, in the order that the list promises. */
  items: Array<{
    /** Latitude in degrees, WGS 84. */
    lat: number
    /** Longitude in degrees, WGS 84. */
    lng: number
    /** Metres by which the position may be off; null where the device did not say. */
    accuracy_m: number | null
    /** When the rider was there, by its device. */
    recorded_at: string
  }>
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** The order, as it stands now. */
  order: 'asc' | 'desc'
  /** From this time on, this instant included. */
  since: string | null
  /** Before this time. */
  until: string | null
}

export type ListPlatformGeofencesReply = {
  /** The page, in the order that the list promises. */
  items: Array<PlatformGeofence>
}

export type ListDispatchZonesReply = {
  /** Which kind, as a word. */
  type: 'FeatureCollection'
  /** The areas, as GeoJSON. */
  features: Array<DispatchZone>
}

export type ListLivePositionsReply = {
  /** Whether there are sockets here. */
  enabled: boolean
  /** The protocol of the socket. */
  transport: 'socket.io'
  /** The address to connect to; null: that of this API. */
  url: string | null
  /** The path below the address of the API. */
  path: string
  /** Of socket.io. */
  namespace: '/'
  /** The room that the socket joins by itself. */
  room: string
  /** The name under which the handshake carries the token. */
  auth_field: 'merchant_access_token'
  /** The events that the socket receives. */
  events: Array<'rider_location' | 'rider_locations_snapshot' | 'rider_online_status'>
  /** Where the riders are now, as the first snapshot will say. */
  initial_positions: Array<RealtimeRiderLocation>
}

export interface ListInviteCodesQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type ListInviteCodesReply = {
  /** The page, in the order that the list promises. */
  items: Array<InviteCode>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type CreateInviteCodeBody = {
  /** 72 when absent. */
  expires_in_hours?: number | null
}

export type CreateInviteCodeReply = InviteCode

export type RevokeInviteCodeReply = {
  /** True: it was done. */
  ok: true
}

export interface ListFleetRidersQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type ListFleetRidersReply = {
  /** The page, in the order that the list promises. */
  items: Array<Rider>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type RemoveFleetRiderReply = {
  /** True: it was done. */
  ok: true
}

export interface GetWalletQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type GetWalletReply = {
  /** The wallet, as it stands now. */
  wallet: Wallet
  /** The entries of the page, the newest first. */
  ledger_transactions: Array<LedgerEntry>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type CreateTopupIntentBody = {
  /** Minor currency units. */
  amount_minor: number
  /** https. */
  callback_url?: string | null
}

export type CreateTopupIntentReply = {
  /** What the payment provider knows the payment by; unique. */
  reference: string
  /** Where the payer pays. */
  authorization_url: string
  /** Opens the provider's checkout in its own library. */
  access_code: string
  /** Minor currency units. */
  amount_minor: number
  /** True where the same request was answered before: nothing was done. */
  idempotent_replay: boolean
}

export interface ListEscrowLedgerQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those of this order */
  order_id?: string
  /** Only entries of this kind */
  entry_type?: 'commission_hold' | 'commission_released'
}

export type ListEscrowLedgerReply = {
  /** The page, in the order that the list promises. */
  items: Array<EscrowEntry>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export interface GetCashStatementQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those of this rider */
  rider_id?: string
  /** From this time on, this instant included */
  since?: string
  /** Before then */
  until?: string
}

export type GetCashStatementReply = {
  /** The page, in the order that the list promises. */
  items: Array<CashEntry>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
  /** Of all time, by currency. */
  totals: Array<CashTotal>
}

export interface ListCashAccountsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those of this rider */
  rider_id?: string
}

export type ListCashAccountsReply = {
  /** The page, in the order that the list promises. */
  items: Array<CashAccount>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export interface ListRemittancesQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those of this rider */
  rider_id?: string
  /** Only those with this status */
  status?: 'declared' | 'confirmed' | 'disputed' | 'resolved' | 'withdrawn'
}

export type ListRemittancesReply = {
  /** The page, in the order that the list promises. */
  items: Array<CashRemittance>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type DeclareRemittanceBody = {
  /** The rider whom it is about; null where there is none. At most 64 characters. */
  rider_id: string
  /** Minor currency units. At least 1. */
  amount_minor: number
  /** The merchant's own when absent. */
  currency?: string | null
  /** A remark for people. */
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
  /** Why it is not right. At most 500 characters. */
  reason: string
}

export type DisputeRemittanceReply = {
  remittance: CashRemittance
}

export type CreateCommissionDisputeBody = {
  /** As in the entries of GET /v1/me/wallet. At most 64 characters. */
  ledger_transaction_id: string
  /** In words, for people; may change. At most 4000 characters. */
  message: string
}

export type CreateCommissionDisputeReply = {
  /** True: it was done. */
  ok: true
  /** The inquiry that was opened. */
  inquiry: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** The entry that is disputed. */
    ledger_transaction_id: string
    /** Whether somebody has looked at it. */
    review_status: 'open' | 'reviewed' | 'archived'
    /** When it was made. */
    created_at: string
  }
}

export type ListPayoutInstrumentsReply = {
  /** The page, in the order that the list promises. */
  items: Array<PayoutInstrument>
}

export type CreatePayoutInstrumentBody = {
  /** Of the bank, as the payment provider lists it. At most 64 characters. */
  bank_code: string
  /** Of the bank account; afterwards only its last four digits are shown. At most 64 characters. */
  account_number: string
  /** As the bank knows the account when absent. */
  account_name?: string | null
  /** Whether withdrawals that name no account go there. */
  is_default?: boolean | null
}

export type CreatePayoutInstrumentReply = PayoutInstrument

export type SetDefaultPayoutInstrumentBody = {
  /** Whether withdrawals that name no account go there. */
  is_default: true
}

export type SetDefaultPayoutInstrumentReply = PayoutInstrument

export interface ListWithdrawalsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type ListWithdrawalsReply = {
  /** The withdrawals of the page, the newest first. */
  withdrawal_requests: Array<Withdrawal>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
  /** The least that can be asked for. */
  min_amount_minor: number
}

export type RequestWithdrawalBody = {
  /** Minor currency units. */
  amount_minor: number
  /** The default when absent. */
  payout_instrument_id?: string | null
}

export type RequestWithdrawalReply = {
  /** The withdrawal, as it stands now. */
  withdrawal: Withdrawal
}

export type CancelWithdrawalReply = {
  /** The withdrawal, as it stands now. */
  withdrawal: Withdrawal
}

export type GetBillingReply = Billing

export type ListPlansReply = {
  /** The page, in the order that the list promises. */
  items: Array<Plan>
}

export type CreateSubscriptionIntentBody = {
  /** The plan, by its code at the payment provider. At most 100 characters. */
  plan_code: string
  /** https. */
  callback_url?: string | null
}

export type CreateSubscriptionIntentReply = {
  /** What the payment provider knows the payment by; unique. */
  reference: string
  /** Where the payer pays. */
  authorization_url: string
  /** Opens the provider's checkout in its own library. */
  access_code: string
  /** Minor currency units. */
  amount_minor: number
  /** True where the same request was answered before: nothing was done. */
  idempotent_replay: false
}

export type CreateSubscriptionBody = {
  /** The plan, by its code at the payment provider. At most 100 characters. */
  plan_code: string
  /** The newest that can be used again when absent. */
  authorization?: string | null
}

export type CreateSubscriptionReply = {
  /** The subscription, by its code at the payment provider. */
  subscription_code: string
  /** The plan, by its code at the payment provider. */
  plan_code: string
  /** How the subscription stands, in the word of the payment provider. */
  status: string
  /** When the next payment is due; null where none is. */
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
    /** In words. At most 500 characters. */
    address: string
    /** Latitude in degrees, WGS 84. */
    lat?: number | null
    /** Longitude in degrees, WGS 84. */
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
  /** The account's id at the messaging app. */
  waba_id?: string | null
  /** The phone number's id at the messaging app. */
  phone_number_id?: string | null
}

export type ExchangeCloudTokenReply = MessagingAppStatus

export type SelectCloudAssetBody = {
  /** The phone number's id at the messaging app. At most 64 characters. */
  phone_number_id: string
  /** The account's id at the messaging app. */
  waba_id?: string | null
  /** Of the answer with the candidates; absent: whichever is pending. */
  signup_id?: string | null
}

export type SelectCloudAssetReply = MessagingAppStatus

export type LegacyGetChannelSettingsReply = {
  /** Whether the secret of this channel is set. */
  payments_a_secret_configured: boolean
}

export type RedeemFleetInviteBody = {
  /** The code, as it was given out. At most 64 characters. */
  code: string
  /** Its name, for people. At most 200 characters. */
  name: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** Completes a pending membership. At most 64 characters. */
  otp?: string
}

export type RedeemFleetInviteReply =
  | {
      /** True: it was done. */
      ok: true
      /** The rider whom it is about; null where there is none. */
      rider_id: string
      /** The merchant to whom it belongs. */
      merchant_id: string
      /** The fleet that the rider has joined. */
      membership: 'active' | 'pending'
    }
  | {
      /** True: it was done. */
      ok: false
    }

export type RegisterRiderBody = {
  /** Its name, for people. At most 200 characters. */
  name: string
  /** E.164, or Nigerian local (0 and ten digits). At most 64 characters. */
  phone: string
  /** `motorcycle`, `car`, `van` or `truck`; null where it is not known. */
  vehicle_type?: 'motorcycle' | 'car' | 'van' | 'truck' | null
  /** Where the rider wants to work. */
  city?: string | null
}

export type RegisterRiderReply = {
  /** True: it was done. */
  ok: true
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** Whether the rider has proved to have the phone. */
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
  /** The six digits that were sent. At most 64 characters. */
  code: string
}

export type VerifyRiderLoginReply = RiderTokens

export type MintRiderTokenBody = {
  /** The rider whom it is about; null where there is none. At most 64 characters. */
  rider_id: string
}

export type MintRiderTokenReply = RiderTokens

export type GetRiderAccountReply = {
  /** The rider; absent or null where there is none. */
  rider: Rider
  /** The merchant. */
  merchant: RiderMerchant | null
  /** The wallet of the rider; null where it cannot be asked for now. */
  riderWallet?: {
    /** What is in it, in minor currency units. */
    balanceMinor: number
    /** When it last changed. */
    updatedAt: string
  }
}

export type RecordPositionsBody = {
  /** Positions, the oldest first; instead of a single one. */
  points?: Array<PositionPoint>
  /** Latitude in degrees, WGS 84. At least -90. At most 90. */
  lat?: number
  /** Longitude in degrees, WGS 84. At least -180. At most 180. */
  lng?: number
  /** Metres by which the position may be off; null where the device did not say. */
  accuracy_m?: number | null
  /** Metres a second; null where that is not known. */
  speed_mps?: number | null
  /** Clockwise from north. */
  heading_deg?: number | null
  /** When it is received, if absent. */
  recorded_at?: string | null
  /** Charge of the rider's device, 0 to 100. */
  battery_pct?: number | null
}

export type RecordPositionsReply = {
  /** True: it was done. */
  ok: true
  /** How many of the positions were kept. */
  accepted: number
  /** The position that counts now; null where none does. */
  location: Location | null
}

export type SetRiderOnlineBody = {
  /** Whether the rider takes offers. */
  is_online: boolean
}

export type SetRiderOnlineReply = {
  /** The rider whom it is about; null where there is none. */
  rider_id: string
  /** Whether the rider takes offers. */
  is_online: boolean
  /** When it last changed. */
  updated_at: string
}

export type RequestRiderPhoneOtpBody = {
  /** The present one when absent. */
  phone?: string | null
}

export type RequestRiderPhoneOtpReply = SentCode

export type VerifyRiderPhoneOtpBody = {
  /** The six digits that were sent. At most 64 characters. */
  code: string
  phone?: string | null
}

export type VerifyRiderPhoneOtpReply = {
  /** True: the code was right. */
  verified: true
  /** The rider; absent or null where there is none. */
  rider: Rider
}

export type ListDispatchOffersReply = {
  /** The offers. */
  offers: Array<DispatchOffer>
}

export type AcceptDispatchOfferReply = {
  /** The offer, as it stands now. */
  offer: DispatchOffer
  /** The order, as it stands now. */
  order: Order
}

export type DeclineDispatchOfferReply = {
  /** The offer, as it stands now. */
  offer: DispatchOffer
}

export interface ListRiderOrdersQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those with this status */
  status?: string
}

export type ListRiderOrdersReply = {
  /** The orders of the page. */
  orders: Array<OrderRow>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type UpdateRiderOrderStatusBody = {
  /** The status that the rider reports of the order. */
  status: 'accepted' | 'picked_up' | 'in_transit' | 'delivered' | 'returned_to_merchant' | 'lost_in_transit'
  /** Latitude in degrees, WGS 84. */
  lat?: number | null
  /** Longitude in degrees, WGS 84. */
  lng?: number | null
  /** When it happened, by the rider's clock; now when absent. */
  occurred_at?: string | null
  /** Required for returned_to_merchant and lost_in_transit. */
  reason?: string | null
  /** The `storage_key` of a photo that was uploaded for this order. */
  photo_storage_key?: string | null
  /** Makes repeats of one act one act. */
  client_event_id?: string | null
  /** Cash on delivery that the customer paid. Absent with delivered: all of it. 0 with returned_to_merchant: the customer refused to pay. */
  cod_collected_minor?: number | null
  /** Why less was paid; required then. */
  cod_reason?: string | null
}

export type UpdateRiderOrderStatusReply = {
  /** The order, as it stands now. */
  order: Order
}

export type DeclineRiderOrderBody = {
  /** Why the rider gives it back; kept with the order. */
  reason?: string | null
}

export type DeclineRiderOrderReply = {
  /** The order, as it stands now. */
  order: Order
}

export type RequestPodOtpReply = SentCode

export type VerifyPodOtpBody = {
  /** The six digits that the customer was sent. At most 64 characters. */
  code: string
  /** The `storage_key` of a photo that was uploaded for this order. */
  photo_storage_key?: string | null
  /** Latitude in degrees, WGS 84. */
  lat?: number | null
  /** Longitude in degrees, WGS 84. */
  lng?: number | null
  /** Cash on delivery that the customer paid. Absent with delivered: all of it. 0 with returned_to_merchant: the customer refused to pay. */
  cod_collected_minor?: number | null
  /** Why less was paid; required then. */
  cod_reason?: string | null
}

export type VerifyPodOtpReply = {
  /** True: the code was right. */
  verified: true
  /** The order, as it stands now. */
  order: Order
}

export type LeaveFleetReply = {
  /** True: it was done. */
  ok: true
}

export type PresignPodPhotoBody = {
  /** The media type of the file. */
  content_type: 'image/jpeg' | 'image/png' | 'image/webp'
  /** The length of the file in bytes. At least 1. At most 10485760. */
  size_bytes: number
}

export type PresignPodPhotoReply = {
  /** Where to put the file, and how. */
  upload: {
    /** Where to `PUT` the file. */
    url: string
    /** The HTTP method to use. */
    method: 'PUT'
    /** Headers to send exactly as they stand here. */
    headers: {
      [name: string]: string
    }
    /** When it ends by itself. */
    expires_at: string
  }
  /** Names the uploaded file in later calls. */
  storage_key: string
}

export type RaiseSosBody = {
  /** Latitude in degrees, WGS 84. */
  lat?: number | null
  /** Longitude in degrees, WGS 84. */
  lng?: number | null
  /** A remark for people. */
  note?: string | null
}

export type RaiseSosReply = {
  /** The call for help that was raised. */
  alert: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** When it was made. */
    created_at: string
  }
}

export interface GetRiderWalletQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type GetRiderWalletReply = {
  /** The wallet, as it stands now. */
  wallet: Wallet
  /** The entries of the page, the newest first. */
  ledger_transactions: Array<LedgerEntry>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export interface GetRiderCashQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type GetRiderCashReply = {
  /** The page, in the order that the list promises. */
  items: Array<CashAccount>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export interface RiderListRemittancesQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
  /** Only those with this status */
  status?: 'declared' | 'confirmed' | 'disputed' | 'resolved' | 'withdrawn'
}

export type RiderListRemittancesReply = {
  /** The page, in the order that the list promises. */
  items: Array<CashRemittance>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type RiderDeclareRemittanceBody = {
  /** The merchant to whom it belongs. At most 64 characters. */
  merchant_id: string
  /** Minor currency units. At least 1. */
  amount_minor: number
  /** The merchant's own when absent. */
  currency?: string | null
  /** A remark for people. */
  note?: string | null
}

export type RiderDeclareRemittanceReply = {
  remittance: CashRemittance
}

export type WithdrawRemittanceReply = {
  remittance: CashRemittance
}

export type RiderDisputeRemittanceBody = {
  /** Why it is not right. At most 500 characters. */
  reason: string
}

export type RiderDisputeRemittanceReply = {
  remittance: CashRemittance
}

export type RiderListPayoutInstrumentsReply = {
  /** The page, in the order that the list promises. */
  items: Array<PayoutInstrument>
}

export type RiderCreatePayoutInstrumentBody = {
  /** Of the bank, as the payment provider lists it. At most 64 characters. */
  bank_code: string
  /** Of the bank account; afterwards only its last four digits are shown. At most 64 characters. */
  account_number: string
  /** As the bank knows the account when absent. */
  account_name?: string | null
  /** Whether withdrawals that name no account go there. */
  is_default?: boolean | null
}

export type RiderCreatePayoutInstrumentReply = PayoutInstrument

export type RiderSetDefaultPayoutInstrumentBody = {
  /** Whether withdrawals that name no account go there. */
  is_default: true
}

export type RiderSetDefaultPayoutInstrumentReply = PayoutInstrument

export interface RiderListWithdrawalsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type RiderListWithdrawalsReply = {
  /** The withdrawals of the page, the newest first. */
  withdrawal_requests: Array<Withdrawal>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
  /** The least that can be asked for. */
  min_amount_minor: number
}

export type RiderRequestWithdrawalBody = {
  /** Minor currency units. */
  amount_minor: number
  /** The default when absent. */
  payout_instrument_id?: string | null
}

export type RiderRequestWithdrawalReply = {
  /** The withdrawal, as it stands now. */
  withdrawal: Withdrawal
}

export type RiderCancelWithdrawalReply = {
  /** The withdrawal, as it stands now. */
  withdrawal: Withdrawal
}

export type SignUpMerchantBody = {
  /** The name under which the merchant trades. At most 200 characters. */
  business_name: string
  /** An e-mail address. At most 320 characters. */
  email: string
  /** At least ten characters. At most 128 characters. */
  password: string
  /** A phone number, in E.164: `+2348012345678` At most 32 characters. */
  phone?: string
  /** Leave empty. At most 0 characters. */
  website?: string
}

export type SignUpMerchantReply = {
  /** The merchant. */
  merchant: {
    /** Its id: an opaque string of at most 64 characters. */
    id: string
    /** Its name, for people. */
    name: string
    /** The name in lower case and dashes; unique. */
    slug: string
  }
  /** The whole key, shown this once. */
  api_key: string
  /** How the key begins; it may be shown. */
  api_key_prefix: string
  /** Whether the address must be confirmed first. */
  email_verification_required: boolean
}

export type LogInBody = {
  /** An e-mail address. At most 320 characters. */
  email: string
  /** As it was set. At most 1024 characters. */
  password: string
}

export type LogInReply = TokenPair

export type GetMerchantSignOnReply = {
  /** Whether single sign-on is offered here. */
  sso_available: boolean
}

export interface CompleteMerchantSignOnQuery {
  /** As the identity provider sent it back */
  code?: string
  /** As the log-in began with */
  state?: string
  /** As which the provider names itself */
  iss?: string
  /** In place of a code */
  error?: string
}

export type CompleteMerchantSignOnReply = TokenPair

export type ConfirmEmailVerificationBody = {
  /** The token, as it was given out. At most 512 characters. */
  token: string
}

export type ConfirmEmailVerificationReply = {
  /** True: it was done. */
  ok: true
}

export type ResendEmailVerificationBody = {
  /** An e-mail address. At most 320 characters. */
  email: string
}

export type ResendEmailVerificationReply = {
  /** True: it was done. */
  ok: true
}

export type RequestPasswordResetBody = {
  /** An e-mail address. At most 320 characters. */
  email: string
  /** Leave empty. At most 2048 characters. */
  website?: string
}

export type RequestPasswordResetReply = {
  /** True: it was done. */
  ok: true
}

export type ConfirmPasswordResetBody = {
  /** The token, as it was given out. At most 512 characters. */
  token: string
  /** At least ten characters. At most 128 characters. */
  password: string
}

export type ConfirmPasswordResetReply = {
  /** True: it was done. */
  ok: true
}

export type CreateContactInquiryBody = {
  /** Its name, for people. At most 200 characters. */
  name: string
  /** An e-mail address. At most 320 characters. */
  email: string
  /** In words, for people; may change. */
  message?: string | null
  /** A phone number, in E.164: `+2348012345678` */
  phone?: string | null
  /** Where it came from. "web_marketing" unless given. */
  source?: 'web_marketing' | 'signup_request'
  /** Leave empty. At most 2048 characters. */
  website?: string
}

export type CreateContactInquiryReply = {
  /** True: it was done. */
  ok: true
}

export type GetCaptureConfigReply = {
  /** Whether the capture app shall work. */
  ota_capture: {
    /** Whether it is switched on. */
    enabled: boolean
  }
  /** The packages that the capture app may read; absent while it is switched off. */
  package_allowlist?: Array<string>
  /** The key by which the capture app verifies; absent while it is switched off. */
  public_key?: string
}

export type ExchangeApiKeyBody = {
  /** Acts for this merchant. At most 64 characters. */
  grantor_merchant_id?: string
}

export type ExchangeApiKeyReply = TokenPair

export type RefreshTokenBody = {
  /** Gets another access token; good for once. At most 4096 characters. */
  refresh_token: string
}

export type RefreshTokenReply = TokenPair | RiderTokens

export type LogOutBody = {
  /** Gets another access token; good for once. At most 4096 characters. */
  refresh_token?: string
}

export type LogOutReply = {
  /** True: it was done. */
  ok: true
}

export type ChangePasswordBody = {
  /** The present one. At most 1024 characters. */
  current_password: string
  /** The one that shall hold from now on. At most 128 characters. */
  new_password: string
}

export type ChangePasswordReply = {
  /** True: it was done. */
  ok: true
}

export type GetAccountReply = {
  /** The merchant. */
  merchant: Account
  /** Where the account is written to. */
  account_email: string | null
  /** Whether the address was confirmed. */
  email_verified: boolean
}

export interface ListApiKeysQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type ListApiKeysReply = {
  /** The page, in the order that the list promises. */
  items: Array<ApiKey>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type CreateApiKeyBody = {
  /** A name that people gave it. At most 200 characters. */
  label?: string
  /** The caller's own when absent. */
  scopes?: Array<Scope>
  /** True for the sandbox, false for live; the two never meet. false unless given. */
  is_test?: boolean
}

export type CreateApiKeyReply = MintedApiKey

export type RotateApiKeyBody = {
  /** A name that people gave it. At most 200 characters. */
  label?: string
}

export type RotateApiKeyReply = MintedApiKey

export type RevokeApiKeyReply = {
  /** True: it was done. */
  ok: true
}

export interface ListWorkspaceGrantsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type ListWorkspaceGrantsReply = {
  /** The page, in the order that the list promises. */
  items: Array<WorkspaceGrant>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
  offset: number
}

export type CreateWorkspaceGrantBody = {
  /** Who may act. At most 64 characters. */
  grantee_merchant_id: string
  /** What the credential may do, as words. */
  scopes: Array<Scope>
}

export type CreateWorkspaceGrantReply = WorkspaceGrant

export type GetActiveWorkspaceGrantReply = WorkspaceGrant

export type RevokeWorkspaceGrantReply = {
  /** True: it was done. */
  ok: true
}

export type SubmitKybBody = {
  [name: string]: unknown
}

export type SubmitKybReply = {
  /** True: it was done. */
  ok: true
  /** How far the business is verified; `verified` is the end. */
  kyb_status: string
  /** Whether an operator has approved the business for live orders. */
  business_approval_status: string
  /** When it was submitted; null before that. */
  submitted_at: string
}

export type PresignKybUploadBody = {
  /** The name of the file, for people. At most 255 characters. */
  file_name: string
  /** The media type of the file. */
  content_type: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** The length of the file in bytes. At least 1. At most 10485760. */
  size_bytes: number
  /** What the document shows. */
  document_type: 'certificate_of_incorporation' | 'proof_of_address' | 'director_id' | 'tax_clearance' | 'other'
}

export type PresignKybUploadReply = {
  /** Where to put the file, and how. */
  upload: {
    /** Where to `PUT` the file. */
    url: string
    /** The HTTP method to use. */
    method: 'PUT'
    /** Headers to send exactly as they stand here. */
    headers: {
      [name: string]: string
    }
    /** When it ends by itself. */
    expires_at: string
  }
  /** Names the uploaded file in later calls. */
  storage_key: string
}

export type AddKybDocumentBody = {
  /** Names the uploaded file in later calls. At most 200 characters. */
  storage_key: string
  /** What the document shows. */
  document_type?: 'certificate_of_incorporation' | 'proof_of_address' | 'director_id' | 'tax_clearance' | 'other'
  /** The name of the file, for people. At most 255 characters. */
  file_name?: string
  /** The media type of the file. */
  content_type?: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/webp'
  /** The length of the file in bytes. At least 1. At most 10485760. */
  size_bytes?: number
}

export type AddKybDocumentReply = {
  /** True: it was done. */
  ok: true
  /** The document. */
  document: KybDocument
  /** How far the business is verified; `verified` is the end. */
  kyb_status: string
}

export interface ListKybScanJobsQuery {
  /** The largest number of entries of a page; a larger one than the list gives is lowered, and the reply says to what */
  limit?: number
  /** How many entries to skip */
  offset?: number
}

export type ListKybScanJobsReply = {
  /** The page, in the order that the list promises. */
  items: Array<KybScanJob>
  /** How many there are in all, beyond this page too. */
  total: number
  /** The largest number of entries of this page, after a larger one was lowered to what the list gives at most. */
  limit: number
  /** How many entries were skipped before this page. */
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
   * The order as it stands now. 404 also for an order of another merchant, or of the environment that the credential does not see.
   *
   * Scope: orders:read or orders:write.
   */
  getOrder(id: string, options?: CallOptions): Promise<GetOrderReply>

  /**
   * Set the status, the payment mark, or both. `PATCH /v1/orders/{id}`
   *
   * For merchants who move orders by their own systems. With `expected_status` it is 409 `status_conflict` where somebody else was faster; a move that the operator does not admit is 409 `invalid_transition`.
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
   * Who could be given the order, seen from `lat` and `lng`. Nobody is asked by it. An empty list where nobody is near.
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
   * Round by round, who was considered, who got an offer, and why the others got none.
   *
   * Scope: orders:read or orders:write.
   */
  getDispatchTrace(id: string, options?: CallOptions): Promise<GetDispatchTraceReply>

  /**
   * List shipments, newest first. `GET /v1/shipments`
   *
   * Page by `limit` and `offset`; `status` filters.
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
   * The counts by status are those of now.
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
   * A sandbox order from a short body: times that are absent are filled in, and it waits for `POST /v1/test/simulator/rider-action`. The same `external_order_id` again is 200 with the order that exists.
   *
   * Scope: orders:write.
   */
  createSimulatorOrder(body: CreateSimulatorOrderBody, options?: CallOptions): Promise<CreateSimulatorOrderReply>

  /**
   * Progress a test order with the sandbox rider. `POST /v1/test/simulator/rider-action`
   *
   * The sandbox rider accepts, collects or delivers. Any action works in any status, and `out_of_sequence` tells of one that a real rider would not have done; with `strict` that is 409 `invalid_transition`.
   *
   * Scope: orders:write.
   */
  simulateRiderAction(body: SimulateRiderActionBody, options?: CallOptions): Promise<SimulateRiderActionReply>

  /**
   * Create a test order that progresses by itself. `POST /v1/test/simulator/orders/auto`
   *
   * As a sandbox order, and the sandbox rider accepts, collects and delivers it by itself, one step each `step_delay_ms`. Cancelling the order ends it. The same request again starts nothing.
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
   * Plays a whole story, by offers, positions and codes as a real rider would, on a test order that waits for one. 409 `invalid_state` for an order that does not, or that plays another.
   *
   * Scope: orders:write.
   */
  startScenario(body: StartScenarioBody, options?: CallOptions): Promise<StartScenarioReply>

  /**
   * How far the scenario of a test order is. `GET /v1/test/simulator/scenarios/{orderId}`
   *
   * Which steps were played and which are to come. 404 for an order that plays none.
   *
   * Scope: orders:read or orders:write.
   */
  getScenario(orderId: string, options?: CallOptions): Promise<GetScenarioReply>

  /**
   * Set the balance of the sandbox wallet. `PUT /v1/test/wallet`
   *
   * Sandbox only: the balance becomes this amount, and the entry that makes it so is in the ledger.
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
   * In the order in which they are met; those that have none `remaining` are gone.
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
   * Send webhook.ping, or the sample of an event, now. `POST /v1/me/outbound-webhook/test`
   *
   * Answers with what the receiver answered; nothing is stored or retried. With `event` the sample of that event is sent, signed like any other and with `sample: true`, whether or not the endpoint lists it: so events of money can be rehearsed in the sandbox.
   *
   * Scope: webhooks:manage.
   */
  testOutboundWebhook(body?: TestOutboundWebhookBody, options?: CallOptions): Promise<TestOutboundWebhookReply>

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
   * Events between `since` and `until` are posted to the endpoint again; 202 says how many. Each keeps its `event_id`, by which you know a repeat. The webhook must be enabled.
   *
   * Scope: webhooks:manage.
   */
  replayEvents(body: ReplayEventsBody, options?: CallOptions): Promise<ReplayEventsReply>

  /**
   * List deliveries, newest first. `GET /v1/me/outbound-webhook/deliveries`
   *
   * What became of each webhook, with its attempts. Filter by order, status or event.
   *
   * Scope: webhooks:manage.
   */
  listDeliveries(query?: ListDeliveriesQuery, options?: CallOptions): Pages<ListDeliveriesReply, Delivery>

  /**
   * Queue a pending or dead delivery again. `POST /v1/me/outbound-webhook/deliveries/{deliveryId}/retry`
   *
   * It is attempted again, with its attempts counted anew, also where it was given up. 400 `delivery_already_succeeded` for one that the endpoint took.
   *
   * Scope: webhooks:manage.
   */
  retryDelivery(deliveryId: string, options?: CallOptions): Promise<RetryDeliveryReply>

  /**
   * Read the event log, oldest first. `GET /v1/events`
   *
   * Every event of every order, delivered or not; sequence counts the events of one order without gaps. Events of money are there for merchants that list them; order_id leaves them out. A page ends at 8 MiB, before its limit; next_cursor goes on, and so does the cursor of any event. To begin with what happens from now on, ask after=latest once: it gives no event, and the next_cursor after which all that follow come.
   *
   * Scope: orders:read or webhooks:manage.
   */
  listEvents(query?: ListEventsQuery, options?: CallOptions): Pages<ListEventsReply, Event>

  /**
   * Follow an order by its tracking link. `GET /v1/tracking/{token}`
   *
   * What the customer may see of one order: its status and times, where it comes from and goes to, and the first name, vehicle and position of the rider. 404 for an unknown token, and 404 `tracking_expired` some time after the order has ended. `live_updates`, where it is there, says how to go on by a socket. Where `Accept` prefers HTML, as a browser does, all of it is a page that keeps itself up to date.
   */
  trackOrder(token: string, options?: CallOptions): Promise<TrackOrderReply>

  /**
   * Follow an order by its tracking link. `GET /v1/public/tracking/{token}`
   *
   * What the customer may see of one order: its status and times, where it comes from and goes to, and the first name, vehicle and position of the rider. 404 for an unknown token, and 404 `tracking_expired` some time after the order has ended. `live_updates`, where it is there, says how to go on by a socket. Where `Accept` prefers HTML, as a browser does, all of it is a page that keeps itself up to date.
   */
  publicTrackOrder(token: string, options?: CallOptions): Promise<PublicTrackOrderReply>

  /**
   * Ask whether points are covered. `GET /v1/coverage/check`
   *
   * One point as lat and lng, or a pickup, a drop-off or both. Judges as the creation of an order does.
   *
   * Scope: orders:read or orders:write.
   */
  checkCoverage(query?: CheckCoverageQuery, options?: CallOptions): Promise<CheckCoverageReply>

  /**
   * Price a delivery by the platform's rate card. `GET /v1/public/pricing/rate-card-preview`
   *
   * What a delivery would cost anybody; nothing is kept by it. 400 `outside_coverage` where the platform does not deliver.
   */
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
   * Within `metres`, all riders whom the merchant may see, or with `online_only` those who take offers.
   *
   * Scope: orders:read or orders:write.
   */
  listRidersNear(query: ListRidersNearQuery, options?: CallOptions): Promise<ListRidersNearReply>

  /**
   * Read where a rider was. `GET /v1/me/riders/{riderId}/location/history`
   *
   * Newest first unless `order` says otherwise; no more than `limit`, between `since` and `until`.
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
   * Where the platform delivers at all.
   *
   * Scope: orders:read or orders:write.
   */
  listPlatformGeofences(options?: CallOptions): Promise<ListPlatformGeofencesReply>

  /**
   * Read the dispatch zones as GeoJSON. `GET /v1/me/dispatch/zones`
   *
   * Where orders of this merchant are taken, one feature for each zone.
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
   * Codes that have ended or were revoked are not among them.
   *
   * Scope: orders:read or orders:write.
   */
  listInviteCodes(query?: ListInviteCodesQuery, options?: CallOptions): Pages<ListInviteCodesReply, InviteCode>

  /**
   * Make an invite code. `POST /v1/me/fleet/invite-codes`
   *
   * Give it to somebody who shall join your fleet. 409 `limit_reached` where too many are open.
   *
   * Scope: orders:write.
   */
  createInviteCode(body?: CreateInviteCodeBody, options?: CallOptions): Promise<CreateInviteCodeReply>

  /**
   * Revoke an invite code for good. `DELETE /v1/me/fleet/invite-codes/{codeId}`
   *
   * Who has joined by it stays.
   *
   * Scope: orders:write.
   */
  revokeInviteCode(codeId: string, options?: CallOptions): Promise<RevokeInviteCodeReply>

  /**
   * List the riders of the fleet. `GET /v1/me/fleet/riders`
   *
   * Riders who joined by an invite code, with where they were last seen.
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
   * Money that is held for riders until their deliveries are paid out. Filter by order or kind of entry.
   *
   * Scope: orders:read or orders:write.
   */
  listEscrowLedger(query?: ListEscrowLedgerQuery, options?: CallOptions): Pages<ListEscrowLedgerReply, EscrowEntry>

  /**
   * Read what became of the cash that riders collected, newest first, and its sums. `GET /v1/me/cod-statement`
   *
   * Cash on delivery, entry by entry, and the sums of all that the filters let through.
   *
   * Scope: orders:read or orders:write.
   */
  getCashStatement(query?: GetCashStatementQuery, options?: CallOptions): Promise<GetCashStatementReply>

  /**
   * List what each rider has in hand, the largest sums first. `GET /v1/me/cod-accounts`
   *
   * Cash that riders collected and have not handed over yet.
   *
   * Scope: orders:read or orders:write.
   */
  listCashAccounts(query?: ListCashAccountsQuery, options?: CallOptions): Pages<ListCashAccountsReply, CashAccount>

  /**
   * List hand-overs of cash, newest first. `GET /v1/me/cod-remittances`
   *
   * Cash that riders said they handed over, or that you said you got, and what became of it.
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
   * All of them at once; of an account number only the last four digits are told. Until `frozen_until` nothing is paid out. Test credentials have none.
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
   * What was asked for and what became of it, and in `min_amount_minor` the least that may be asked for. 403 `feature_disabled` where the operator has not switched withdrawals on; test credentials have none.
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
   * What your tier contains, and whether its status blocks new orders.
   *
   * Scope: orders:read or orders:write.
   */
  getBilling(options?: CallOptions): Promise<GetBillingReply>

  /**
   * List the plans that can be subscribed to. `GET /v1/me/billing/payments-a-plans`
   *
   * As the payment provider lists them now. 503 `payments_not_configured` where there is none.
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
   * How much of what the tier contains is used, and when the period ends.
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

  /**
   * Read the rider's own account. `GET /v1/auth/rider/me`
   *
   * With the merchant whose fleet the rider is in, and the wallet.
   */
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
   * Who is online gets offers. 403 `kyc_not_approved` before approval; 409 `active_order` for who goes offline with orders under way.
   *
   * Scope: riders:location or orders:write; riders for themselves.
   */
  setRiderOnline(riderId: string, body: SetRiderOnlineBody, options?: CallOptions): Promise<SetRiderOnlineReply>

  /**
   * Send a code to the rider's phone, or to its next one. `POST /v1/riders/{riderId}/phone-otp/request`
   *
   * Six digits by text message, which `phone-otp/verify` takes. 429 `otp_cooldown` a moment after the last one.
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
   * Takes the six digits; a new number holds from then on. After too many wrong ones it is 429 `otp_locked`: ask for another code.
   *
   * Scope: riders:location or orders:write; riders for themselves.
   */
  verifyRiderPhoneOtp(
    riderId: string,
    body: VerifyRiderPhoneOtpBody,
    options?: CallOptions,
  ): Promise<VerifyRiderPhoneOtpReply>

  /**
   * List offers that can still be accepted. `GET /v1/riders/me/dispatch-offers`
   *
   * An offer ends at its `expires_at`, and when somebody else has accepted.
   */
  listDispatchOffers(options?: CallOptions): Promise<ListDispatchOffersReply>

  /**
   * Accept an offer. `POST /v1/riders/me/dispatch-offers/{offerId}/accept`
   *
   * Exactly one of all riders who accept gets the order; a repeat answers the same.
   */
  acceptDispatchOffer(offerId: string, options?: CallOptions): Promise<AcceptDispatchOfferReply>

  /**
   * Decline an offer. `POST /v1/riders/me/dispatch-offers/{offerId}/decline`
   *
   * The order is offered to others. 409 `offer_expired` where the time is over.
   */
  declineDispatchOffer(offerId: string, options?: CallOptions): Promise<DeclineDispatchOfferReply>

  /**
   * List the rider's orders, newest first. `GET /v1/riders/me/orders`
   *
   * Page by `limit` and `offset`; `status` filters.
   */
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

  /**
   * Prove the delivery with the code that the customer tells. `POST /v1/riders/me/orders/{orderId}/pod-otp/verify`
   *
   * Delivers the order and keeps the proof. A repeat with the same code answers the same; after too many wrong codes it is 429 `otp_locked`.
   */
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

  /**
   * Call for help. `POST /v1/riders/me/sos`
   *
   * Tells those whom the operator has named, by text message, where the rider is. 429 `sos_cooldown` a moment after the last one.
   */
  raiseSos(body?: RaiseSosBody, options?: CallOptions): Promise<RaiseSosReply>

  /**
   * Read the rider's wallet and its entries, newest first. `GET /v1/riders/me/ledger`
   *
   * What the rider has earned, and in `available_minor` how much of it may be withdrawn. Cash on delivery is no part of it: read that at `/v1/riders/me/cash`.
   */
  getRiderWallet(query?: GetRiderWalletQuery, options?: CallOptions): Pages<GetRiderWalletReply, LedgerEntry>

  /**
   * Read what cash the rider has in hand, by merchant, the largest sums first. `GET /v1/riders/me/cash`
   *
   * Cash on delivery belongs to the merchant; it is no part of what the rider earns.
   */
  getRiderCash(query?: GetRiderCashQuery, options?: CallOptions): Pages<GetRiderCashReply, CashAccount>

  /**
   * List hand-overs of cash, newest first. `GET /v1/riders/me/cash/remittances`
   *
   * Cash that the rider said was handed over, or that a merchant said it got, and what became of it; `status` filters. Contradict one by `POST /v1/riders/me/cash/remittances/{id}/dispute`.
   */
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

  /**
   * List bank accounts to which withdrawals may go, newest first. `GET /v1/riders/me/payout-instruments`
   *
   * All of them at once; of an account number only the last four digits are told. Until `frozen_until` nothing is paid out. Test credentials have none.
   */
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

  /**
   * List withdrawals, newest first. `GET /v1/riders/me/withdrawals`
   *
   * What was asked for and what became of it, and in `min_amount_minor` the least that may be asked for. 403 `feature_disabled` where the operator has not switched withdrawals on; test credentials have none.
   */
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

  /**
   * Log in with e-mail and password. `POST /v1/public/login`
   *
   * Answers with an access token and a refresh token. 401 does not say whether the address or the password is wrong; 403 `email_not_verified` until the address is confirmed.
   */
  logIn(body: LogInBody, options?: CallOptions): Promise<LogInReply>

  /**
   * Whether single sign-on is offered. `GET /v1/public/auth/merchant-oidc/status`
   *
   * For log-in pages: whether to offer it.
   */
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

  /**
   * Write to the operator. `POST /v1/public/contact`
   *
   * Somebody of the operator reads it. The answer is the same whatever was written.
   */
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

  /**
   * Read the caller's own account. `GET /v1/auth/me`
   *
   * The business for which the credential speaks, with its settings and how far it is verified.
   */
  getAccount(options?: CallOptions): Promise<GetAccountReply>

  /**
   * List API keys. `GET /v1/me/api-keys`
   *
   * Revoked ones too. The secret of a key is never shown again.
   *
   * Scope: keys:manage or orders:read.
   */
  listApiKeys(query?: ListApiKeysQuery, options?: CallOptions): Pages<ListApiKeysReply, ApiKey>

  /**
   * Create an API key. `POST /v1/me/api-keys`
   *
   * The key is in the reply, once. It has at most the scopes of who makes it, and a test key makes test keys only: send `is_test: true`. 409 `limit_reached` where there are too many.
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
   * 404 where the other merchant has granted nothing, or has taken it back.
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
