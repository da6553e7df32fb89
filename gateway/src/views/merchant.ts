import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { RawJson } from '@svc/exact-json'
import { orNull } from './or-null.ts'

const ownView = (merchant: Merchant, webhook: OutboundWebhook) => ({
  id: merchant.id,
  name: merchant.name,
  slug: merchant.slug,
  email: merchant.email,
  phone: orNull(merchant.phone),
  merchant_tier: merchant.merchant_tier,
  billing_status: merchant.billing_status,
  billing_period_end: orNull(merchant.billing_period_end),
  kyb_status: merchant.kyb_status,
  business_approval_status: merchant.business_approval_status,
  auto_dispatch_enabled: merchant.auto_dispatch_enabled,
  dispatch_mode: merchant.dispatch_mode,
  currency: merchant.currency,
  timezone: merchant.timezone,
  outbound_webhook_url: orNull(webhook.url),
  outbound_webhook_enabled: webhook.enabled,
  created_at: merchant.created_at,
  updated_at: merchant.updated_at,
})

/** A tenant as its own members see it. */
export const accountView = (merchant: Merchant, webhook: OutboundWebhook): Record<string, unknown> => ({
  ...ownView(merchant, webhook),
  kybStatus: merchant.kyb_status,
  outboundWebhookSecretConfigured: webhook.secret_configured,
})

/** A tenant as operators see it. */
export const merchantView = (merchant: Merchant, webhook: OutboundWebhook): Record<string, unknown> => ({
  ...ownView(merchant, webhook),
  kyb_notes: orNull(merchant.kyb_notes),
  kyb_reference: orNull(merchant.kyb_reference),
  messaging_engine: merchant.messaging_engine,
  dispatch_batch_size: merchant.dispatch_batch_size,
  fulfillment_mode: merchant.fulfillment_mode,
  billing_included_allowance: orNull(merchant.billing_included_allowance),
  billing_overage_fee_minor: orNull(merchant.billing_overage_fee_minor),
  outbound_webhook_secret_configured: webhook.secret_configured,
})

/** The KYB submission, unread; null where the merchant has not submitted any. */
export const kybPayloadView = (json: string | undefined): RawJson | null => (json ? new RawJson(json) : null)
