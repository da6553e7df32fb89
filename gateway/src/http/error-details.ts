import type { ErrorCode } from '@svc/errors'
import * as z from 'zod'

const named = (description: string) => z.string().optional().meta({ description })
const counted = (description: string) => z.int().optional().meta({ description })
const timed = (description: string) => z.string().optional().meta({ description, format: 'date-time' })
const amount = (description: string) => counted(`${description}, in minor currency units`)

const allowed = z
  .array(z.unknown())
  .optional()
  .meta({ description: 'The values, or the methods of a path, that would have been taken' })

const fault = z
  .object({
    field: z.string().meta({ description: 'Path in the request: `standardized.items[1].name`' }),
    rule: z.string().meta({ description: 'The rule that is broken: `required`, `type`, `range`, …' }),
    message: z.string().meta({ description: 'For people; may change' }),
    limit: z.number().optional().meta({ description: 'The bound of the rule' }),
    allowed,
  })
  .meta({ id: 'FieldFault', description: 'One broken rule of one field' })

/** What details of errors hold, by name. */
const DETAILS = {
  field: named('Path of the first fault in the request: `standardized.items[1].name`; or the field that is in the way'),
  rule: named('The rule that this field breaks: `required`, `type`, `range`, …'),
  fields: z
    .array(fault)
    .optional()
    .meta({ description: 'Every fault of the request, the first among them; at most 100' }),
  truncated: z.literal(true).optional().meta({ description: 'There are more faults than `fields` holds' }),
  allowed,
  limit: z
    .union([z.number(), z.string()])
    .optional()
    .meta({ description: 'The bound that was passed; of `rate_limited` the name of the limit' }),
  min_minor: amount('The least that is taken'),
  max_minor: amount('The most that is taken'),
  limit_bytes: counted('The most bytes that are taken'),
  quota: counted('Requests that the limit lets through in its window'),
  window_seconds: counted('Seconds that the window of the limit lasts'),
  full: named('What has no room for another socket: `address` or `process`'),
  reason: named('Why, as a word to decide by; the words may grow'),
  problem: named('What is wrong with the form of a credential: `scheme`, `not_a_key` or `checksum`'),
  required: z
    .array(z.string())
    .optional()
    .meta({ description: 'The scopes of which one is needed, or the permissions that lack' }),
  nearest: named('The path that was probably meant'),
  feature: named('What the operator has switched off'),
  status: named('The present status, which does not permit this'),
  expected_status: named('The status that the request expected'),
  from: named('What it is now'),
  to: named('What it was to become'),
  action: named('The action that was asked for'),
  available_actions: z.array(z.string()).optional().meta({ description: 'The actions that would be taken now' }),
  policy: named('The policy of cancellations that refuses'),
  changed_fields: z.array(z.string()).optional().meta({ description: 'What differs from the order that exists' }),
  order_id: named('The order that is in the way'),
  order_ids: z.array(z.string()).optional().meta({ description: 'All orders that are in the way' }),
  external_order_id: named("The order that exists, by its sender's id"),
  source: named('The source of the order that exists'),
  grant_id: named('The grant that exists'),
  reference: named('The reference that is used already'),
  subscription_code: named('The subscription that exists'),
  scenario: named('The scenario that plays this order already'),
  search: named('How far the search for a rider is'),
  documents: z.array(z.string()).optional().meta({ description: 'Ids of the documents that are in the way' }),
  billing_status: named('Of the merchant'),
  kyb_status: named('Of the merchant'),
  business_approval_status: named('Of the merchant'),
  kyc_status: named('Of the rider'),
  cod_status: named('What was reported of the cash already'),
  declared_by: named('Who said it first: the other side must answer'),
  in_hand_minor: amount('What the rider has in hand'),
  undeclared_minor: amount('What no hand-over tells of yet'),
  required_minor: amount('What the wallet would need'),
  balance_minor: amount('What the wallet has'),
  point: named('Which point lies outside: `pickup` or `dropoff`'),
  lat: z.number().nullish().meta({ description: 'Of this point, in degrees' }),
  lng: z.number().nullish().meta({ description: 'Of this point, in degrees' }),
  attempts_left: counted('Wrong codes that are taken before the code is locked'),
  expires_at: timed('When it ended'),
  frozen_until: timed('From when on it works again'),
  again_at: timed('From when on it works again'),
  intent_id: named('What goes on in the background; quote it when you ask'),
  candidates: z.array(z.looseObject({})).optional().meta({ description: 'What there is to choose from' }),
  signup_id: named('The sign-up that waits for the choice'),
  signup_expires_at: timed('Until when the choice may be made'),
}

export type DetailName = keyof typeof DETAILS

/** The details of any error; which there are depends on its code. */
export const errorDetails = z
  .looseObject(DETAILS)
  .meta({ id: 'ErrorDetails', description: 'Which of these there are depends on `error`; more may be added' })

/** What an error of a code bears at its top level too. */
export const TOP_LEVEL: Partial<Record<ErrorCode, readonly DetailName[]>> = {
  OUT_OF_COVERAGE_AREA: ['point', 'lat', 'lng'],
  asset_selection_required: ['candidates', 'signup_id', 'signup_expires_at'],
  insufficient_wallet_for_freelancer_order: ['required_minor', 'balance_minor'],
  wallet_insufficient: ['required_minor', 'balance_minor'],
}

const OF_A_FAULT = ['field', 'rule', 'fields', 'reason'] as const
const OF_A_POINT = ['point', 'lat', 'lng', 'reason', 'fields'] as const
const OF_A_WALLET = ['required_minor', 'balance_minor'] as const

/** Which details an error of a code may have; those of the others have none. */
export const DETAILS_OF: Partial<Record<ErrorCode, readonly DetailName[]>> = {
  validation_error: [...OF_A_FAULT, 'truncated', 'allowed', 'limit', 'min_minor', 'max_minor'],
  unknown_parameter: [...OF_A_FAULT, 'allowed'],
  missing_pickup_time: OF_A_FAULT,
  missing_delivery_window: OF_A_FAULT,
  invalid_pickup_time: OF_A_FAULT,
  invalid_delivery_window: OF_A_FAULT,
  invalid_webhook_url: OF_A_FAULT,
  invalid_token: ['field', 'reason'],
  invalid_otp: ['attempts_left'],
  outside_coverage: OF_A_POINT,
  pickup_outside_coverage: OF_A_POINT,
  OUT_OF_COVERAGE_AREA: OF_A_POINT,
  unauthorized: ['reason', 'problem'],
  insufficient_wallet_for_freelancer_order: OF_A_WALLET,
  wallet_insufficient: OF_A_WALLET,
  insufficient_merchant_wallet: OF_A_WALLET,
  forbidden: ['required', 'reason', 'field'],
  billing_blocked: ['billing_status'],
  kyb_required: ['kyb_status', 'business_approval_status'],
  kyc_not_approved: ['kyc_status'],
  feature_disabled: ['feature'],
  withdrawal_frozen: ['frozen_until'],
  not_found: ['reason', 'nearest', 'field'],
  method_not_allowed: ['allowed'],
  duplicate_order: ['order_id', 'source', 'external_order_id', 'changed_fields'],
  status_conflict: ['status', 'expected_status'],
  invalid_transition: [
    'status',
    'allowed',
    'field',
    'from',
    'to',
    'reason',
    'documents',
    'action',
    'available_actions',
  ],
  cannot_cancel: ['status', 'policy'],
  offer_unavailable: ['status'],
  order_terminal: ['status'],
  rider_unavailable: ['reason'],
  quote_expired: ['expires_at'],
  already_exists: ['field', 'reference', 'subscription_code', 'kyb_status'],
  grant_exists: ['grant_id'],
  limit_reached: ['limit', 'again_at'],
  active_order: ['order_id', 'order_ids'],
  invalid_state: [
    'status',
    'declared_by',
    'reason',
    'scenario',
    'search',
    'cod_status',
    'in_hand_minor',
    'undeclared_minor',
  ],
  asset_selection_required: ['candidates', 'signup_id', 'signup_expires_at'],
  payload_too_large: ['limit_bytes'],
  rate_limited: ['limit', 'quota', 'window_seconds', 'limit_bytes', 'full'],
  service_unavailable: ['reason', 'intent_id', 'full'],
}

/** What details are shown of a code whose errors mostly have them. */
export const DETAILS_SHOWN: Partial<Record<ErrorCode, z.input<typeof errorDetails>>> = {
  validation_error: {
    field: 'standardized.customer_phone',
    rule: 'required',
    fields: [
      {
        field: 'standardized.customer_phone',
        rule: 'required',
        message: 'standardized.customer_phone is required.',
      },
    ],
  },
  OUT_OF_COVERAGE_AREA: { point: 'dropoff', lat: 6.6, lng: 3.4, reason: 'outside_zones' },
  unauthorized: { reason: 'missing' },
  insufficient_wallet_for_freelancer_order: { required_minor: 125_000, balance_minor: 40_000 },
  wallet_insufficient: { required_minor: 125_000, balance_minor: 40_000 },
  insufficient_merchant_wallet: { required_minor: 7_000, balance_minor: 1_000 },
  forbidden: { required: ['orders:write'] },
  billing_blocked: { billing_status: 'past_due' },
  kyb_required: { kyb_status: 'pending_review', business_approval_status: 'none' },
  kyc_not_approved: { kyc_status: 'pending' },
  withdrawal_frozen: { frozen_until: '2026-11-22T10:15:30.000Z' },
  duplicate_order: {
    order_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11',
    source: 'api',
    external_order_id: 'o-1',
    changed_fields: ['standardized.dropoff_address'],
  },
  status_conflict: { status: 'accepted', expected_status: 'pending' },
  invalid_transition: { status: 'delivered', allowed: [] },
  cannot_cancel: { status: 'picked_up', policy: 'default' },
  quote_expired: { expires_at: '2026-11-21T10:15:30.000Z' },
  invalid_otp: { attempts_left: 2 },
  limit_reached: { limit: 200 },
  payload_too_large: { limit_bytes: 1_048_576 },
  rate_limited: { limit: 'key', quota: 60, window_seconds: 60 },
}
