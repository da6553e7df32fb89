import { text, timestamp } from '@svc/inputs'
import { z } from 'zod'
import {
  BILLING_STATUSES,
  BUSINESS_APPROVAL_STATUSES,
  DISPATCH_MODES,
  FULFILLMENT_MODES,
  KYB_STATUSES,
  MERCHANT_TIERS,
  MESSAGING_ENGINES,
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
const MAX_BATCH = 50

/** A change of a merchant: the wire names what it clears, a patch of the domain says null. */
export const merchantPatch = z
  .object({
    id: z.string(),
    merchant_tier: z.enum(MERCHANT_TIERS).optional(),
    billing_status: z.enum(BILLING_STATUSES).optional(),
    billing_period_end: timestamp.transform((at) => new Date(at)).optional(),
    billing_included_allowance: z.int().min(0).max(MAX_INT32).optional(),
    billing_overage_fee_minor: z.int().min(0).optional(),
    auto_dispatch_enabled: z.boolean().optional(),
    kyb_status: z.enum(KYB_STATUSES).optional(),
    kyb_notes: text(4_000, 0).optional(),
    kyb_reference: text(200, 0).optional(),
    business_approval_status: z.enum(BUSINESS_APPROVAL_STATUSES).optional(),
    dispatch_mode: z.enum(DISPATCH_MODES).optional(),
    dispatch_batch_size: z.int().min(1).max(MAX_BATCH).optional(),
    fulfillment_mode: z.enum(FULFILLMENT_MODES).optional(),
    messaging_engine: z.enum(MESSAGING_ENGINES).optional(),
    clear_fields: z.array(z.enum(CLEARABLE)),
  })
  .transform(({ id, clear_fields, ...set }): { id: string; patch: MerchantPatch } => {
    const orCleared = <F extends (typeof CLEARABLE)[number]>(field: F) =>
      clear_fields.includes(field) ? null : set[field]
    return {
      id,
      patch: {
        merchantTier: set.merchant_tier,
        billingStatus: set.billing_status,
        billingPeriodEnd: orCleared('billing_period_end'),
        billingIncludedAllowance: orCleared('billing_included_allowance'),
        billingOverageFeeMinor: orCleared('billing_overage_fee_minor'),
        autoDispatchEnabled: set.auto_dispatch_enabled,
        kybStatus: set.kyb_status,
        kybNotes: orCleared('kyb_notes'),
        kybReference: orCleared('kyb_reference'),
        businessApprovalStatus: set.business_approval_status,
        dispatchMode: set.dispatch_mode,
        dispatchBatchSize: set.dispatch_batch_size,
        fulfillmentMode: set.fulfillment_mode,
        messagingEngine: set.messaging_engine,
      },
    }
  })
