import { randomUUID } from 'node:crypto'
import { ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { PaymentRefusedError, PaymentRepeatedError, type Payments, type Plan, type Subscription } from '@svc/payments'
import type { Context } from '../../context.ts'
import { announceStanding } from '../../db/announce-standing.ts'
import { lockStanding } from '../../db/billing-standings.ts'
import { customerOf } from '../../db/payment-customers.ts'
import { requireUnsubscribed } from '../../db/require-unsubscribed.ts'
import { closeIntent, nameSubscription, reopenAttempt, storeIntent } from '../../db/subscription-intents.ts'
import { addNews } from '../../db/subscriptions.ts'
import { periodOf } from '../../domain/plan-period.ts'
import { requirePayments, requirePlan } from '../../peers/plans.ts'

interface Wanted {
  planCode: string
  /** Absent: the newest that can be used. */
  authorization: string | undefined
}

/**
 * Subscribes the merchant with an authorization that it gave with an earlier payment. Where the provider does not answer,
 * the subscription may exist: the caller gets service_unavailable, and its hook tells. One attempt per plan at a time.
 */
export async function createSubscription(
  ctx: Context,
  { scope: { merchantId } }: By<Tenant>,
  { planCode, authorization }: Wanted,
): Promise<Subscription> {
  const payments = requirePayments(ctx)
  const plan = await requirePlan(payments, planCode)
  const customerCode = await ctx.transact('every tenant', async (tx) => {
    await requireUnsubscribed(tx, merchantId, planCode)
    return customerOf(tx, merchantId)
  })
  if (customerCode === null) throw new ServiceError('no_reusable_authorization')
  const authorizationCode = await reusableAuthorization(payments, customerCode, authorization)
  const reference = await beginAttempt(ctx, merchantId, plan)
  ctx.failpoint('subscription.stored')

  const subscription = await payments
    .createSubscription({ customerCode, planCode, authorizationCode })
    .catch((error: unknown) => refusal(ctx, reference, error))
  ctx.failpoint('subscription.created')

  const { subscriptionCode: code, nextPaymentAt: periodEnd } = subscription
  await ctx.transact('every tenant', async (tx) => {
    const announced = await lockStanding(tx, merchantId)
    await addNews(tx, merchantId, code, { planCode, periodEnd })
    await nameSubscription(tx, reference, code)
    await announceStanding(tx, merchantId, announced, 'subscription.create')
  })
  return subscription
}

/** Of the customer's own alone: the provider would take any code that it knows. */
async function reusableAuthorization(payments: Payments, customerCode: string, wanted?: string): Promise<string> {
  const customer = await payments.findCustomer(customerCode)
  const reusable = (customer?.authorizations ?? []).filter(({ isReusable }) => isReusable)
  const newest = reusable[0]
  if (!newest) throw new ServiceError('no_reusable_authorization')
  if (wanted === undefined) return newest.authorizationCode
  if (reusable.some(({ authorizationCode }) => authorizationCode === wanted)) return wanted
  const message = 'authorization must be one that can be used again.'
  throw validationError([{ field: 'authorization', rule: 'reusable', message }])
}

async function beginAttempt(ctx: Context, merchantId: string, plan: Plan): Promise<string> {
  const { planCode, amountMinor, currency, interval } = plan
  return ctx.transact('every tenant', async (tx) => {
    await lockStanding(tx, merchantId)
    await requireUnsubscribed(tx, merchantId, planCode)
    const open = await reopenAttempt(tx, merchantId, planCode)
    if (open?.isUnderWay) throw new ServiceError('service_unavailable', { retryAfterSeconds: 60 })
    if (open) return open.reference
    const reference = `sub_${randomUUID()}`
    const intent = { reference, merchantId, kind: 'authorization', planCode, amountMinor, currency } as const
    await storeIntent(tx, { ...intent, period: periodOf(interval) }, null)
    return reference
  })
}

async function refusal(ctx: Context, reference: string, error: unknown): Promise<never> {
  // An attempt whose answer was lost took effect: what it made is on its way here.
  if (error instanceof PaymentRepeatedError) throw new ServiceError('already_exists', { cause: error })
  if (!(error instanceof PaymentRefusedError)) throw error
  ctx.logger.warn({ err: error, reference }, 'the payment provider refuses a subscription')
  await ctx.transact('every tenant', (tx) => closeIntent(tx, reference))
  throw new ServiceError('no_reusable_authorization', { cause: error })
}
