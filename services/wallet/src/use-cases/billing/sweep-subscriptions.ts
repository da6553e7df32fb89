import type { Tx } from '@svc/outbox'
import type { Charge, Payments } from '@svc/payments'
import type { Context } from '../../context.ts'
import {
  claimDueIntent,
  closeStaleAttempts,
  type SubscriptionIntentRow,
  verifyNext,
} from '../../db/subscription-intents.ts'
import { nextVerification } from '../../domain/topup.ts'
import { settlePayment } from './settle-payment.ts'

/** Longer than the provider may take to answer. */
const LEASE_MS = 60_000

/** Asks the provider about every checkout that is due: a payment whose hook was lost counts all the same. Replicas share it. */
export async function sweepSubscriptions(ctx: Context, payments: Payments, signal: AbortSignal): Promise<void> {
  await ctx.transact('every tenant', closeStaleAttempts)
  while (!signal.aborted) {
    const intent = await ctx.transact('every tenant', (tx) => claimDueIntent(tx, LEASE_MS))
    if (!intent) return
    await verify(ctx, payments, intent)
  }
}

async function verify(ctx: Context, payments: Payments, intent: SubscriptionIntentRow): Promise<void> {
  const { reference } = intent
  try {
    const charge = await payments.verifyTransaction(reference)
    ctx.failpoint('subscription_intent.verified')
    await ctx.transact('every tenant', (tx) => settle(ctx, tx, intent, charge))
  } catch (err) {
    ctx.logger.warn({ err, reference }, 'a checkout could not be verified; it comes again')
  }
}

async function settle(ctx: Context, tx: Tx, intent: SubscriptionIntentRow, charge: Charge | null): Promise<void> {
  const { reference, createdAt } = intent
  if (charge?.status !== 'success')
    return verifyNext(tx, reference, nextVerification(createdAt, tx.now, ctx.config.paymentSweepAfterMs))
  const judgement = await settlePayment(tx, intent, charge, 'charge.success')
  if (judgement.outcome !== 'refused') return
  const { reason } = judgement
  ctx.logger.error({ reference, reason, alert: 'subscription_mismatch' }, 'a payment is not what was asked for')
  // It will not become so: an operator must look at it.
  await verifyNext(tx, reference, null)
}
