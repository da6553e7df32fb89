import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { fieldsOf, id, instant, orNull, rawJson, whole } from '@svc/public-bodies'
import * as z from 'zod'

export const MERCHANT_TIERS = ['pay_as_you_go', 'hybrid', 'saas', 'enterprise'] as const
export const BILLING_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'compliance_hold'] as const
export const KYB_STATUSES = ['not_submitted', 'pending_review', 'verified', 'rejected'] as const
export const APPROVAL_STATUSES = ['none', 'pending', 'approved', 'rejected'] as const
export const DISPATCH_MODES = ['one_by_one', 'batch', 'broadcast'] as const
export const FULFILLMENT_MODES = ['freelancer', 'internal_fleet'] as const
export const MESSAGING_ENGINES = ['rules', 'ai', 'off'] as const

const fields = {
  ...fieldsOf<Merchant>()({
    id,
    name: z.string(),
    slug: z.string(),
    email: z.string(),
    phone: orNull(z.string()),
    merchant_tier: z.string(),
    billing_status: z.string(),
    billing_period_end: orNull(instant),
    kyb_status: z.string(),
    business_approval_status: z.string(),
    auto_dispatch_enabled: z.boolean(),
    dispatch_mode: z.string(),
    currency: z.string(),
    timezone: z.string(),
    created_at: instant,
    updated_at: instant,
  }),
  outbound_webhook_url: orNull(z.string()),
  outbound_webhook_enabled: z.boolean(),
}

const endpointOf = ({ url, enabled }: OutboundWebhook) => ({
  outbound_webhook_url: url,
  outbound_webhook_enabled: enabled,
})

/** A tenant, as its own members see it. */
export const account = z
  .object({ ...fields, kybStatus: z.string(), outboundWebhookSecretConfigured: z.boolean() })
  .meta({ id: 'Account' })

export const accountOf = (merchant: Merchant, webhook: OutboundWebhook) => ({
  ...merchant,
  ...endpointOf(webhook),
  kybStatus: merchant.kyb_status,
  outboundWebhookSecretConfigured: webhook.secret_configured,
})

/** A tenant, as operators see it. */
export const merchantRecord = z
  .object({
    ...fields,
    ...fieldsOf<Merchant>()({
      kyb_notes: orNull(z.string()),
      kyb_reference: orNull(z.string()),
      messaging_engine: z.string(),
      dispatch_batch_size: whole,
      fulfillment_mode: z.string(),
      billing_included_allowance: orNull(whole).meta({ description: 'Deliveries of a cycle, for hybrid tiers' }),
      billing_overage_fee_minor: orNull(whole).meta({ description: 'For each delivery beyond them' }),
    }),
    outbound_webhook_secret_configured: z.boolean(),
    kyb_payload: rawJson(z.looseObject({})).nullable().optional(),
  })
  .meta({ id: 'Merchant' })

export const merchantOf = (merchant: Merchant, webhook: OutboundWebhook) => ({
  ...merchant,
  ...endpointOf(webhook),
  outbound_webhook_secret_configured: webhook.secret_configured,
})
