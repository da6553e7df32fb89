import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type {
  CreateSubscriptionResponse,
  GetBillingResponse,
  GetBillingUsageResponse,
  Plan,
} from '@svc/contracts/wallet/v1/billing_service'
import { maybe, text } from '@svc/inputs'
import { fieldsOf, instant, minor, orNull, whole } from '@svc/public-bodies'
import * as z from 'zod'
import { callbackUrl, checkout } from './wallet.ts'

/** How a merchant stands with the platform. */
export const billing = z
  .object({
    ...fieldsOf<Merchant>()({
      merchant_tier: z.string(),
      billing_status: z.string(),
      billing_period_end: orNull(instant),
    }),
    billing_compliance_hold: z.boolean(),
    ...fieldsOf<GetBillingResponse>()({
      billing_enforcement_enabled: z.boolean(),
      billing_entitlements_note: z.string(),
      subscription_manage_url: orNull(z.string()),
    }),
  })
  .meta({ id: 'Billing' })

/** The account's own standing, and what the wallet service knows beside it. */
export const billingOf = (merchant: Merchant, known: GetBillingResponse) => ({
  ...merchant,
  ...known,
  billing_compliance_hold: merchant.billing_status === 'compliance_hold',
})

export const billingUsage = z
  .object(
    fieldsOf<GetBillingUsageResponse>()({
      deliveries_used: whole,
      included_allowance: orNull(whole).meta({ description: 'null: the tier is not hybrid' }),
      overage_fee_minor: minor,
      cycle_end: instant,
      usage_percent: orNull(z.number()),
      over_allowance: z.boolean(),
    }),
  )
  .meta({ id: 'BillingUsage' })

export const planList = z.object({
  items: z.array(
    z
      .object(
        fieldsOf<Plan>()({
          plan_code: z.string(),
          name: z.string(),
          description: orNull(z.string()),
          amount_minor: minor,
          interval: z.string(),
          currency: z.string(),
        }),
      )
      .meta({ id: 'Plan' }),
  ),
})

const code = text(100)

export const newSubscriptionIntent = z.object({ plan_code: code, callback_url: callbackUrl })

/** Each is a checkout of its own: none is ever replayed. */
export const subscriptionIntent = z.object({ ...checkout, idempotent_replay: z.literal(false) })

export const newSubscription = z.object({
  plan_code: code,
  authorization: maybe(code).meta({ description: 'The newest that can be used again when absent' }),
})

export const subscription = z.object(
  fieldsOf<CreateSubscriptionResponse>()({
    subscription_code: z.string(),
    plan_code: z.string(),
    status: z.string(),
    next_payment_at: orNull(instant),
  }),
)
