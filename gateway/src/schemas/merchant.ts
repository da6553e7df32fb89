import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'

export const MERCHANT_TIERS = ['pay_as_you_go', 'hybrid', 'saas', 'enterprise'] as const
export const BILLING_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'compliance_hold'] as const
export const KYB_STATUSES = ['not_submitted', 'pending_review', 'verified', 'rejected'] as const
export const APPROVAL_STATUSES = ['none', 'pending', 'approved', 'rejected'] as const
export const DISPATCH_MODES = ['one_by_one', 'batch', 'broadcast'] as const
export const FULFILLMENT_MODES = ['freelancer', 'internal_fleet'] as const
export const MESSAGING_ENGINES = ['rules', 'ai', 'off'] as const

const merchantFields = {
  id: uuid,
  name: z.string(),
  slug: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  merchant_tier: z.string(),
  billing_status: z.string(),
  billing_period_end: timestamp.nullable(),
  kyb_status: z.string(),
  business_approval_status: z.string(),
  auto_dispatch_enabled: z.boolean(),
  dispatch_mode: z.string(),
  currency: z.string(),
  timezone: z.string(),
  outbound_webhook_url: z.string().nullable(),
  outbound_webhook_enabled: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
}

/** A tenant, as its own members see it. */
export const account = z
  .strictObject({
    ...merchantFields,
    kybStatus: z.string(),
    outboundWebhookSecretConfigured: z.boolean(),
  })
  .meta({ id: 'Account' })

/** A tenant, as operators see it. */
export const merchantRecord = z
  .strictObject({
    ...merchantFields,
    kyb_notes: z.string().nullable(),
    kyb_reference: z.string().nullable(),
    messaging_engine: z.string(),
    dispatch_batch_size: z.int(),
    fulfillment_mode: z.string(),
    billing_included_allowance: z.int().nullable().meta({ description: 'Deliveries of a cycle, for hybrid tiers' }),
    billing_overage_fee_minor: z.int().nullable().meta({ description: 'For each delivery beyond them' }),
    outbound_webhook_secret_configured: z.boolean(),
    kyb_payload: z.looseObject({}).nullable().optional(),
  })
  .meta({ id: 'Merchant' })
