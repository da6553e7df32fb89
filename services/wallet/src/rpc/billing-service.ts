import { BillingServiceService } from '@svc/contracts/wallet/v1/billing_service'
import { inPerson, liveOnly, merchant, rpc, serving } from '@svc/grpc'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { planMessage, usageMessage } from '../messages/billing.ts'
import { createSubscription } from '../use-cases/billing/create-subscription.ts'
import { createSubscriptionIntent } from '../use-cases/billing/create-subscription-intent.ts'
import { getBilling } from '../use-cases/billing/get-billing.ts'
import { getBillingUsage } from '../use-cases/billing/get-billing-usage.ts'
import { listPlans } from '../use-cases/billing/list-plans.ts'

const reading = merchant('orders:read', 'orders:write')
const paying = liveOnly(merchant('orders:write'))

/** A name that the provider gives: no longer than any of them, and nothing that a URL would read otherwise. */
const code = z.string().regex(/^[\w-]{1,100}$/, 'must be 1 to 100 letters, digits, _ or -')

/** The rpcs of what merchants pay for the platform. */
export const billingService = serving<Context>()(BillingServiceService, {
  listPlans: rpc({
    access: reading,
    handle: async (ctx, by) => ({ items: (await listPlans(ctx, by)).map(planMessage) }),
  }),

  createSubscriptionIntent: rpc({
    access: paying,
    input: z.object({ plan_code: code, callback_url: z.string().optional() }),
    handle: async (ctx, by, { plan_code: planCode, callback_url: callbackUrl }) => {
      const intent = await createSubscriptionIntent(ctx, by, { planCode, callbackUrl })
      return {
        reference: intent.reference,
        authorization_url: intent.authorizationUrl,
        access_code: intent.accessCode,
        amount_minor: intent.amountMinor,
      }
    },
  }),

  createSubscription: rpc({
    access: inPerson(paying),
    input: z.object({ plan_code: code, authorization: code.optional() }),
    handle: async (ctx, by, { plan_code, authorization }) => {
      const subscription = await createSubscription(ctx, by, { planCode: plan_code, authorization })
      const { subscriptionCode: subscription_code, status, nextPaymentAt } = subscription
      return { subscription_code, plan_code, status, next_payment_at: nextPaymentAt?.toISOString() }
    },
  }),

  getBilling: rpc({
    access: reading,
    handle: async (ctx, by) => {
      const billing = await getBilling(ctx, by)
      return {
        billing_enforcement_enabled: billing.isEnforced,
        billing_entitlements_note: billing.entitlementsNote,
        subscription_manage_url: billing.manageUrl ?? undefined,
      }
    },
  }),

  getBillingUsage: rpc({
    access: reading,
    handle: async (ctx, by) => usageMessage(await getBillingUsage(ctx, by)),
  }),
})
