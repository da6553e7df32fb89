import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { type Checkout, PaymentRefusedError } from '@svc/payments'
import type { Context } from '../../context.ts'
import { requireUnsubscribed } from '../../db/require-unsubscribed.ts'
import { closeIntent, type SubscriptionIntent, storeIntent } from '../../db/subscription-intents.ts'
import { requireCallbackUrl } from '../../domain/callback-url.ts'
import { periodOf } from '../../domain/plan-period.ts'
import { ownerEmail } from '../../peers/owner-email.ts'
import { requirePayments, requirePlan } from '../../peers/plans.ts'

interface Wanted {
  planCode: string
  callbackUrl: string | undefined
}

/**
 * Opens a checkout page whose payment subscribes the merchant. What the provider knows was committed here before: whatever
 * dies in between, a payment finds its intent.
 */
export async function createSubscriptionIntent(
  ctx: Context,
  by: By<Tenant>,
  { planCode, callbackUrl }: Wanted,
): Promise<SubscriptionIntent & Checkout> {
  const { merchantId } = by.scope
  requireCallbackUrl(callbackUrl, { allowsLocal: ctx.config.nodeEnv !== 'production' })
  const payments = requirePayments(ctx)
  const { amountMinor, currency, interval } = await requirePlan(payments, planCode)
  const email = await ownerEmail(ctx, by)
  const reference = `sub_${randomUUID()}`
  const intent = { reference, merchantId, kind: 'checkout', planCode, amountMinor, currency } as const
  await ctx.transact('every tenant', async (tx) => {
    await requireUnsubscribed(tx, merchantId, planCode)
    const verifyAt = new Date(tx.now.getTime() + ctx.config.paymentSweepAfterMs)
    await storeIntent(tx, { ...intent, period: periodOf(interval) }, verifyAt)
  })
  ctx.failpoint('subscription_intent.stored')

  const metadata = { merchant_id: merchantId }
  const transaction = { reference, email, amountMinor, currency, planCode, callbackUrl, metadata }
  const checkout = await payments.initializeTransaction(transaction).catch(async (error: unknown) => {
    if (!(error instanceof PaymentRefusedError)) throw error
    ctx.logger.error({ err: error, reference, alert: 'checkout_refused' }, 'the payment provider refuses a checkout')
    await ctx.transact('every tenant', (tx) => closeIntent(tx, reference))
    throw new ServiceError('service_unavailable', { cause: error })
  })
  ctx.failpoint('subscription_intent.initialized')
  return { ...intent, ...checkout }
}
