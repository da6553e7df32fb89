import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type {
  CreateSubscriptionIntentResponse,
  CreateSubscriptionResponse,
  GetBillingResponse,
  GetBillingUsageResponse,
  Plan,
} from '@svc/contracts/wallet/v1/billing_service'
import { orNull } from './or-null.ts'

/** The account's own standing, and what the wallet service knows beside it. */
export const billingView = (merchant: Merchant, billing: GetBillingResponse): Record<string, unknown> => ({
  merchant_tier: merchant.merchant_tier,
  billing_status: merchant.billing_status,
  billing_period_end: orNull(merchant.billing_period_end),
  billing_enforcement_enabled: billing.billing_enforcement_enabled,
  billing_compliance_hold: merchant.billing_status === 'compliance_hold',
  billing_entitlements_note: billing.billing_entitlements_note,
  subscription_manage_url: orNull(billing.subscription_manage_url),
})

export const billingUsageView = (usage: GetBillingUsageResponse): Record<string, unknown> => ({
  deliveries_used: usage.deliveries_used,
  included_allowance: orNull(usage.included_allowance),
  overage_fee_minor: usage.overage_fee_minor,
  cycle_end: usage.cycle_end,
  usage_percent: orNull(usage.usage_percent),
  over_allowance: usage.over_allowance,
})

export const planView = (plan: Plan): Record<string, unknown> => ({
  plan_code: plan.plan_code,
  name: plan.name,
  description: orNull(plan.description),
  amount_minor: plan.amount_minor,
  interval: plan.interval,
  currency: plan.currency,
})

/** Each is a checkout of its own: none is ever replayed. */
export const subscriptionIntentView = (intent: CreateSubscriptionIntentResponse): Record<string, unknown> => ({
  reference: intent.reference,
  authorization_url: intent.authorization_url,
  access_code: intent.access_code,
  amount_minor: intent.amount_minor,
  idempotent_replay: false,
})

export const subscriptionView = (subscription: CreateSubscriptionResponse): Record<string, unknown> => ({
  subscription_code: subscription.subscription_code,
  plan_code: subscription.plan_code,
  status: subscription.status,
  next_payment_at: orNull(subscription.next_payment_at),
})
