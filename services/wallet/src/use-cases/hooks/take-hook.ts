import { isUuid } from '@svc/inputs'
import { type PaymentEvent, parsePaymentEvent } from '@svc/payments'
import { metrics } from '@svc/telemetry'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { announceStanding } from '../../db/announce-standing.ts'
import { lockStanding } from '../../db/billing-standings.ts'
import { creditTopup } from '../../db/credit-topup.ts'
import { merchantOfCustomer } from '../../db/payment-customers.ts'
import { recordPayment } from '../../db/record-payment.ts'
import { findIntent } from '../../db/subscription-intents.ts'
import { addNews, merchantOfSubscription } from '../../db/subscriptions.ts'
import { lockTopup } from '../../db/topups.ts'
import { IDENTIFICATION, removeWaitingHook, storeWaitingHook } from '../../db/waiting-hooks.ts'
import { lockWithdrawal } from '../../db/withdrawals.ts'
import { newsOf } from '../../domain/billing-news.ts'
import { type FinalJudgement, ignored, type Judgement, refused } from '../../domain/judgement.ts'
import type { PaymentHook, ReceivedHook } from '../../domain/payment-hook.ts'
import { isTopupReference, mismatchOf } from '../../domain/topup.ts'
import { readPayoutReference, type Withdrawal } from '../../domain/withdrawal.ts'
import { hookJudgedFact } from '../../events.ts'
import { payoutAlert } from '../../messages/alerts.ts'
import { type Conclusion, concludeTransfer } from '../withdrawals/transfer.ts'

/** For how long a hook waits for what it is about. */
const PATIENCE_MS = 24 * 3_600_000
const MIN_PAUSE_MS = 1_000

/**
 * Lets a hook take effect and announces what became of it, in one transaction. One that came before what it is about
 * waits for that: it is taken again soon, then ever more rarely, and refused when it has waited for a day.
 */
export async function takeHook(ctx: Context, tx: Tx, hook: ReceivedHook, since: Date = tx.now): Promise<void> {
  await settleHook(ctx, tx, { hook, since, judgement: await applyPaymentEvent(ctx, tx, hook) })
}

/** Notes what became of a hook: it waits on, while it may, or its judgement is announced. */
export async function settleHook(
  ctx: Context,
  tx: Tx,
  { hook, since, judgement }: { hook: ReceivedHook; since: Date; judgement: Judgement },
): Promise<void> {
  const waitedMs = tx.now.getTime() - since.getTime()
  if (judgement.outcome === 'waiting' && waitedMs < PATIENCE_MS) {
    const pauseMs = Math.min(Math.max(waitedMs, MIN_PAUSE_MS), ctx.config.paymentSweepIntervalMs)
    return storeWaitingHook(tx, hook, judgement.reason, pauseMs)
  }
  await removeWaitingHook(tx, hook.hookId)
  announce(tx, hook, judgement.outcome === 'waiting' ? refused('unmatched') : judgement)
}

function announce(tx: Tx, hook: ReceivedHook, judgement: FinalJudgement): void {
  tx.publish(hookJudgedFact(hook, judgement))
  const reason = 'reason' in judgement ? judgement.reason : ''
  metrics
    .counter('payment_hooks_total', 'Hooks of the payment provider, by what became of them')
    .add(1, { outcome: judgement.outcome, reason })
}

type Apply = (tx: Tx, event: PaymentEvent, hook: PaymentHook) => Promise<Judgement>

/** Lets an event of the payment provider take effect, as far as it is ours, certain and believable. */
export async function applyPaymentEvent(ctx: Context, tx: Tx, { body, ...hook }: ReceivedHook): Promise<Judgement> {
  const event = parsePaymentEvent(body)
  if (!event) return refused('unreadable')
  const apply = handlerOf(ctx, event)
  if (!apply) return ignored('unknown_event')
  if (!hook.signedByPlatform) {
    // A merchant can sign whatever it likes with a secret of its own: such an event is about its own account there.
    const isOfMerchant = hook.merchantId !== null && !isTopupReference(event.reference)
    return isOfMerchant ? ignored('account_of_merchant') : refused('untrusted_signature')
  }
  if (!isOfOurMode(ctx, event)) return refused('wrong_mode')
  return apply(tx, event, hook)
}

function handlerOf(ctx: Context, { event, reference }: PaymentEvent): Apply | null {
  if (event === 'charge.success') return isTopupReference(reference) ? applyCharge : applyBillingEvent
  if (event.startsWith('transfer.')) return (tx, transfer, hook) => applyTransferEvent(ctx, tx, transfer, hook)
  if (IDENTIFICATIONS.has(event)) return async (_tx, identification) => asIdentification(ctx, identification)
  return /^(subscription|invoice)\./.test(event) ? applyBillingEvent : null
}

/** A list about cards of many payers, which names no mode and moves nothing. */
const EXPIRING_CARDS = 'subscription.expiring_cards'

/** What the provider found of a customer. It states no mode: that of the key which signed it holds, and all of ours have one. */
const IDENTIFICATIONS: ReadonlySet<string> = new Set([
  'customeridentification.success',
  'customeridentification.failed',
])

/** An event counts where it states the mode of our key: what is rehearsed must not touch live money, nor the other way round. */
function isOfOurMode({ payments }: Context, { event, domain }: PaymentEvent): boolean {
  if (domain === null) return event === EXPIRING_CARDS || IDENTIFICATIONS.has(event)
  return event === EXPIRING_CARDS || domain === payments?.mode
}

/** Admin judges it, and no transaction of ours is held open for that. */
function asIdentification({ kyb }: Context, { customerCode }: PaymentEvent): Judgement {
  if (customerCode === null) return refused('no_customer')
  return kyb ? { outcome: 'waiting', reason: IDENTIFICATION } : ignored('no_admin')
}

/**
 * Credits the top-up that a charge.success with a reference of top-ups tells of: only against an intent of ours, of the same
 * merchant, currency and amount.
 */
async function applyCharge(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  const topup = event.reference === null ? null : await lockTopup(tx, event.reference)
  if (!topup) return { outcome: 'waiting', reason: 'unknown_reference' }
  if (event.status !== 'success') return refused('not_successful', topup.merchantId)
  const { amountMinor, currency, metadata } = event
  const merchantIds = [hook.merchantId, metadata['merchant_id']].filter((id) => id !== null && id !== undefined)
  const mismatch = mismatchOf(topup, { amountMinor, currency, merchantIds })
  if (mismatch) return refused(mismatch, topup.merchantId)
  await creditTopup(tx, topup)
  return { outcome: 'applied' }
}

/**
 * Lets an event of the provider about a subscription take effect, in whichever order and however often events come. Our
 * own rows decide which merchant it is about; where the hook says otherwise nothing is changed.
 */
export async function applyBillingEvent(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  return event.event === 'charge.success' ? applyPayment(tx, event, hook) : applyNews(tx, event, hook)
}

/** Any payer can pay anything to the account of the platform: what counts is the payment of a checkout made here. */
async function applyPayment(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  const intent = event.reference === null ? null : await findIntent(tx, event.reference)
  // Renewals among them: those are told of by their invoices.
  if (!intent) return ignored('no_intent')
  if (event.status !== 'success') return refused('not_successful', intent.merchantId)
  if (namesAnother(intent.merchantId, event, hook)) return refused('tenant_mismatch', intent.merchantId)
  return recordPayment(tx, intent, event, event.event)
}

async function applyNews(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  const { subscriptionCode: code, customerCode } = event
  const news = newsOf(event)
  if ('outcome' in news) return news
  if (code === null) return refused('no_subscription')

  const payer = customerCode === null ? null : await merchantOfCustomer(tx, customerCode)
  const merchantId = (await merchantOfSubscription(tx, code)) ?? payer
  if (merchantId === null) return { outcome: 'waiting', reason: 'unknown_customer' }
  if ((payer !== null && payer !== merchantId) || namesAnother(merchantId, event, hook))
    return refused('tenant_mismatch', merchantId)

  const announced = await lockStanding(tx, merchantId)
  await addNews(tx, merchantId, code, news)
  await announceStanding(tx, merchantId, announced, event.event)
  return { outcome: 'applied' }
}

function namesAnother(merchantId: string, { metadata }: PaymentEvent, hook: PaymentHook): boolean {
  const named = metadata['merchant_id'] ?? merchantId
  return named !== merchantId || (hook.merchantId ?? merchantId) !== merchantId
}

const STATUS_OF: ReadonlyMap<string, string> = new Map([
  ['transfer.success', 'success'],
  ['transfer.failed', 'failed'],
  ['transfer.reversed', 'reversed'],
])

/**
 * What the provider tells of a transfer takes effect if it speaks of the latest attempt of a withdrawal of ours, with its
 * amount and currency; the first end of an attempt stands. The signature is all the proof it needs: it covers the
 * reference, which we and the provider alone knew.
 */
export async function applyTransferEvent(
  ctx: Context,
  tx: Tx,
  event: PaymentEvent,
  hook: PaymentHook,
): Promise<Judgement> {
  const { amountMinor, currency } = event
  const status = STATUS_OF.get(event.event)
  if (status === undefined) return ignored('unknown_event')
  const named = event.reference === null ? null : readPayoutReference(event.reference)
  const withdrawalId = named?.withdrawalId ?? withdrawalIn(event)
  if (withdrawalId === null) return ignored('not_ours')

  const withdrawal = await lockWithdrawal(tx, withdrawalId)
  if (!withdrawal) return { outcome: 'waiting', reason: 'unknown_withdrawal' }
  const merchantId = withdrawal.ownerKind === 'merchant' ? withdrawal.ownerId : undefined
  if (isOfAnother(withdrawal, hook)) return refused('tenant_mismatch', merchantId)
  const seen = { status, amountMinor, currency }
  if (withdrawal.providerReference === event.reference)
    return judgementOf(await concludeTransfer(ctx, tx, withdrawal, seen), merchantId)
  if (!named || named.attempt >= withdrawal.attempt) return refused('unknown_reference', merchantId)
  // A newer attempt was made because this one had failed.
  if (status === 'success')
    ctx.logger.error(...payoutAlert('payout_contradicted', withdrawal, { ...seen, reference: event.reference }))
  return ignored('old_reference')
}

/** Hooks that have it name it beside the reference. */
function withdrawalIn({ metadata }: PaymentEvent): string | null {
  const id = metadata['withdrawal_request_id']
  return typeof id === 'string' && isUuid(id) ? id : null
}

function isOfAnother({ ownerKind, ownerId }: Withdrawal, { merchantId }: PaymentHook): boolean {
  return merchantId !== null && (ownerKind !== 'merchant' || ownerId !== merchantId)
}

function judgementOf(conclusion: Conclusion, merchantId: string | undefined): Judgement {
  switch (conclusion) {
    case 'applied':
      return { outcome: 'applied' }
    case 'amount_differs':
    case 'contradicts':
      return refused(conclusion, merchantId)
    default:
      return ignored('known_already')
  }
}
