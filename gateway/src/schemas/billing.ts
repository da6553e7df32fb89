import { text, timestamp } from '@svc/inputs'
import * as z from 'zod'
import { minor } from './pieces.ts'
import { callbackUrl, checkout } from './wallet.ts'

/** How a merchant stands with the platform. */
export const billing = z
  .strictObject({
    merchant_tier: z.string(),
    billing_status: z.string(),
    billing_period_end: timestamp.nullable(),
    billing_enforcement_enabled: z.boolean(),
    billing_compliance_hold: z.boolean(),
    billing_entitlements_note: z.string(),
    subscription_manage_url: z.string().nullable(),
  })
  .meta({ id: 'Billing' })

export const billingUsage = z
  .strictObject({
    deliveries_used: z.int().min(0),
    included_allowance: z.int().nullable().meta({ description: 'null: the tier is not hybrid' }),
    overage_fee_minor: minor,
    cycle_end: timestamp,
    usage_percent: z.number().nullable(),
    over_allowance: z.boolean(),
  })
  .meta({ id: 'BillingUsage' })

export const planList = z.strictObject({
  items: z.array(
    z
      .strictObject({
        plan_code: z.string(),
        name: z.string(),
        description: z.string().nullable(),
        amount_minor: minor,
        interval: z.string(),
        currency: z.string(),
      })
      .meta({ id: 'Plan' }),
  ),
})

const code = text(100)

export const newSubscriptionIntent = z.object({ plan_code: code, callback_url: callbackUrl })

export const subscriptionIntent = z.strictObject({ ...checkout, idempotent_replay: z.literal(false) })

export const newSubscription = z.object({
  plan_code: code,
  authorization: code.nullish().meta({ description: 'The newest that can be used again when absent' }),
})

export const subscription = z.strictObject({
  subscription_code: z.string(),
  plan_code: z.string(),
  status: z.string(),
  next_payment_at: timestamp.nullable(),
})
