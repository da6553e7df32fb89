import type { BillingServiceService } from '@svc/contracts/wallet/v1/billing_service'
import { validationError } from '@svc/errors'
import { type Handlers, requireMerchant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { callbackUrl } from '../domain/callback-url.ts'
import { planMessage, usageMessage } from '../messages/billing.ts'
import { createSubscription } from '../use-cases/billing/create-subscription.ts'
import { createSubscriptionIntent } from '../use-cases/billing/create-subscription-intent.ts'
import { getBilling } from '../use-cases/billing/get-billing.ts'
import { getBillingUsage } from '../use-cases/billing/get-billing-usage.ts'
import { listedPlans } from '../use-cases/billing/plans.ts'
import { requireLive } from './require-live.ts'

const WRITE = 'orders:write'

/** The rpcs of what merchants pay for the platform. */
export function billingService(ctx: Context): Handlers<typeof BillingServiceService> {
  const plans = listedPlans(ctx)
  const allowsLocal = ctx.config.nodeEnv !== 'production'
  return {
    async listPlans(_request, call) {
      requireMerchant(call)
      return { items: (await plans()).map(planMessage) }
    },

    async createSubscriptionIntent({ plan_code, callback_url }, call) {
      const { merchantId } = requireMerchant(call, WRITE)
      requireLive(call)
      const intent = await createSubscriptionIntent(ctx, call.caller, {
        merchantId,
        planCode: codeField('plan_code', plan_code),
        callbackUrl: callbackUrl(callback_url, { allowsLocal }),
      })
      return {
        reference: intent.reference,
        authorization_url: intent.authorizationUrl,
        access_code: intent.accessCode,
        amount_minor: intent.amountMinor,
      }
    },

    async createSubscription({ plan_code, authorization }, call) {
      const { merchantId } = requireMerchant(call, WRITE)
      requireLive(call)
      const planCode = codeField('plan_code', plan_code)
      const { subscriptionCode, status, nextPaymentAt } = await createSubscription(ctx, {
        merchantId,
        planCode,
        authorization: authorization === undefined ? undefined : codeField('authorization', authorization),
      })
      return {
        subscription_code: subscriptionCode,
        plan_code: planCode,
        status,
        next_payment_at: nextPaymentAt?.toISOString(),
      }
    },

    async getBilling(_request, call) {
      const billing = await getBilling(ctx, requireMerchant(call))
      return {
        billing_enforcement_enabled: billing.isEnforced,
        billing_entitlements_note: billing.entitlementsNote,
        subscription_manage_url: billing.manageUrl ?? undefined,
      }
    },

    async getBillingUsage(_request, call) {
      return usageMessage(await getBillingUsage(ctx, requireMerchant(call)))
    },
  }
}

/** A name that the provider gives: no longer than any of them, and nothing that a URL would read otherwise. */
function codeField(field: string, code: string): string {
  if (/^[\w-]{1,100}$/.test(code)) return code
  const message = `${field} must be 1 to 100 letters, digits, _ or -.`
  throw validationError([{ field, rule: 'format', limit: 100, message }])
}
