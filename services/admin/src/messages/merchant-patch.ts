import type { UpdateMerchantRequest } from '@svc/contracts/admin/v1/merchant_service'
import { validationError } from '@svc/errors'
import { characterCount } from '../domain/character-count.ts'
import {
  BILLING_STATUSES,
  BUSINESS_APPROVAL_STATUSES,
  DISPATCH_MODES,
  FULFILLMENT_MODES,
  KYB_STATUSES,
  MERCHANT_TIERS,
  MESSAGING_ENGINES,
  oneOf,
} from '../domain/enumerations.ts'
import type { MerchantPatch } from '../domain/merchant.ts'

const CLEARABLE = [
  'billing_period_end',
  'billing_included_allowance',
  'billing_overage_fee_minor',
  'kyb_notes',
  'kyb_reference',
] as const
const MAX_INT32 = 2_147_483_647
const NOTES_LENGTH = 2_000
const REFERENCE_LENGTH = 200
const MAX_BATCH = 50

/** The wire's patch as a patch of the domain, every value checked. */
export function merchantPatch(request: UpdateMerchantRequest): MerchantPatch {
  const cleared = new Set(request.clear_fields.map((field) => oneOf('clear_fields', CLEARABLE, field)))
  const clearable = <T>(field: (typeof CLEARABLE)[number], value: T | undefined) => (cleared.has(field) ? null : value)
  return {
    merchantTier: word('merchant_tier', MERCHANT_TIERS, request.merchant_tier),
    billingStatus: word('billing_status', BILLING_STATUSES, request.billing_status),
    billingPeriodEnd: clearable('billing_period_end', instant('billing_period_end', request.billing_period_end)),
    billingIncludedAllowance: clearable(
      'billing_included_allowance',
      wholeNumber('billing_included_allowance', MAX_INT32, request.billing_included_allowance),
    ),
    billingOverageFeeMinor: clearable(
      'billing_overage_fee_minor',
      wholeNumber('billing_overage_fee_minor', Number.MAX_SAFE_INTEGER, request.billing_overage_fee_minor),
    ),
    autoDispatchEnabled: request.auto_dispatch_enabled,
    kybStatus: word('kyb_status', KYB_STATUSES, request.kyb_status),
    kybNotes: clearable('kyb_notes', text('kyb_notes', NOTES_LENGTH, request.kyb_notes)),
    kybReference: clearable('kyb_reference', text('kyb_reference', REFERENCE_LENGTH, request.kyb_reference)),
    businessApprovalStatus: word(
      'business_approval_status',
      BUSINESS_APPROVAL_STATUSES,
      request.business_approval_status,
    ),
    dispatchMode: word('dispatch_mode', DISPATCH_MODES, request.dispatch_mode),
    dispatchBatchSize: batchSize(request.dispatch_batch_size),
    fulfillmentMode: word('fulfillment_mode', FULFILLMENT_MODES, request.fulfillment_mode),
    messagingEngine: word('messaging_engine', MESSAGING_ENGINES, request.messaging_engine),
  }
}

function word<const T extends string>(field: string, allowed: readonly T[], value: string | undefined): T | undefined {
  return value === undefined ? undefined : oneOf(field, allowed, value)
}

function text(field: string, limit: number, value: string | undefined): string | undefined {
  if (value === undefined || characterCount(value) <= limit) return value
  throw validationError([{ field, rule: 'max_length', message: `${field} has at most ${limit} characters.`, limit }])
}

function instant(field: string, value: string | undefined): Date | undefined {
  if (value === undefined) return undefined
  const date = new Date(value)
  if (!Number.isNaN(date.getTime())) return date
  throw validationError([{ field, rule: 'format', message: `${field} must be an ISO 8601 time.` }])
}

function wholeNumber(field: string, limit: number, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= limit)) return value
  throw validationError([
    { field, rule: 'range', message: `${field} must be a whole number from 0 to ${limit}.`, limit },
  ])
}

function batchSize(value: number | undefined): number | undefined {
  if (value === undefined || (value >= 1 && value <= MAX_BATCH)) return value
  const field = 'dispatch_batch_size'
  throw validationError([{ field, rule: 'range', message: `${field} must be 1 to ${MAX_BATCH}.`, limit: MAX_BATCH }])
}
