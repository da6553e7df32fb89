import type { Merchant as MerchantMessage } from '@svc/contracts/admin/v1/merchant'
import type { Merchant } from '../domain/merchant.ts'

/** A merchant as others see it. */
export function merchantMessage(merchant: Merchant): MerchantMessage {
  return {
    id: merchant.id,
    name: merchant.name,
    slug: merchant.slug,
    email: merchant.email,
    phone: merchant.phone ?? undefined,
    merchant_tier: merchant.merchantTier,
    billing_status: merchant.billingStatus,
    billing_period_end: merchant.billingPeriodEnd?.toISOString(),
    billing_included_allowance: merchant.billingIncludedAllowance ?? undefined,
    billing_overage_fee_minor: merchant.billingOverageFeeMinor ?? undefined,
    kyb_status: merchant.kybStatus,
    kyb_notes: merchant.kybNotes ?? undefined,
    kyb_reference: merchant.kybReference ?? undefined,
    business_approval_status: merchant.businessApprovalStatus,
    auto_dispatch_enabled: merchant.autoDispatchEnabled,
    dispatch_mode: merchant.dispatchMode,
    dispatch_batch_size: merchant.dispatchBatchSize,
    fulfillment_mode: merchant.fulfillmentMode,
    messaging_engine: merchant.messagingEngine,
    currency: merchant.currency,
    timezone: merchant.timezone,
    created_at: merchant.createdAt.toISOString(),
    updated_at: merchant.updatedAt.toISOString(),
    version: merchant.version,
  }
}
