import { type Charge, PaymentRefusedError, type Payments } from '@svc/payments'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { announceStanding } from '../../db/announce-standing.ts'
import { lockStanding } from '../../db/billing-standings.ts'
import { recordPayment } from '../../db/record-payment.ts'
import {
  claimDueIntent,
  closeStaleAttempts,
  findIntent,
  type SubscriptionIntentRow,
  verifyNext,
} from '../../db/subscription-intents.ts'
import { nextVerification } from '../../domain/next-verification.ts'

/** Longer than the provider may take to answer. */
const LEASE_MS = 60_000

/**
 * Asks the provider about every checkout that is due: a payment whose hook was lost counts all the same; and calls an
 * operator for payments of which no subscription came. Replicas share it.
 */
export async function sweepSubscriptions(ctx: Context, payments: Payments, signal: AbortSignal): Promise<void> {
  await ctx.transact('every tenant', closeStaleAttempts)
  while (!signal.aborted) {
    const intent = await ctx.transact('every tenant', (tx) => claimDueIntent(tx, LEASE_MS))
    if (!intent) return
    await lookAt(ctx, payments, intent).catch((err: unknown) => {
      ctx.logger.warn({ err, reference: intent.reference }, 'a checkout could not be looked at; it comes again')
    })
  }
}

async function lookAt(ctx: Context, payments: Payments, intent: SubscriptionIntentRow): Promise<void> {
  if (intent.state === 'paid') return ctx.transact('every tenant', (tx) => missSubscription(ctx, tx, intent))
  const charge = await payments.verifyTransaction(intent.reference).catch((error: unknown) => {
    if (error instanceof PaymentRefusedError) return error
    throw error
  })
  ctx.failpoint('subscription_intent.verified')
  await ctx.transact('every tenant', (tx) => conclude(ctx, tx, intent, charge))
}

async function conclude(
  ctx: Context,
  tx: Tx,
  intent: SubscriptionIntentRow,
  answer: Charge | PaymentRefusedError | null,
): Promise<void> {
  const { reference, createdAt } = intent
  const isRefused = answer instanceof PaymentRefusedError
  if (isRefused || answer?.status !== 'success') {
    const next = nextVerification(createdAt, tx.now, ctx.config.paymentSweepAfterMs)
    if (isRefused && next === null)
      ctx.logger.error({ err: answer, reference, alert: 'checkout_unverifiable' }, 'whether it was paid is not known')
    return verifyNext(tx, intent, next)
  }
  const judgement = await recordPayment(tx, intent, answer, 'charge.success')
  if (judgement.outcome !== 'refused') return
  const { reason } = judgement
  ctx.logger.error({ reference, reason, alert: 'subscription_mismatch' }, 'a payment is not what was asked for')
  // It will not become so: an operator must look at it.
  await verifyNext(tx, intent, null)
}

/** Of a payment without a subscription an operator is told; it counts for the period that was paid, and no longer. */
async function missSubscription(ctx: Context, tx: Tx, { reference, merchantId }: SubscriptionIntentRow): Promise<void> {
  const announced = await lockStanding(tx, merchantId)
  await announceStanding(tx, merchantId, announced, 'period.over')
  const intent = await findIntent(tx, reference)
  if (!intent) return
  const { subscriptionCode, paidUntil } = intent
  if (subscriptionCode !== null) return verifyNext(tx, intent, null)
  ctx.logger.error({ reference, alert: 'subscription_missing' }, 'of a payment no subscription has come')
  await verifyNext(tx, intent, paidUntil !== null && paidUntil > tx.now ? paidUntil : null)
}
