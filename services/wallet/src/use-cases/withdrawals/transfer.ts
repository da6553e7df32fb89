import { ServiceError } from '@svc/errors'
import { type Intent, openIntent } from '@svc/intents'
import { PaymentRefusedError, PaymentRepeatedError, type Payments, type Transfer } from '@svc/payments'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { payReserve, returnPayment, returnReserve } from '../../db/withdrawal-money.ts'
import { enterStatus, lockWithdrawal, storeWithdrawal } from '../../db/withdrawals.ts'
import { CALL_LEASE_SECONDS } from '../../domain/call-lease.ts'
import { nextLook } from '../../domain/paid-watch.ts'
import { transferEnd } from '../../domain/transfer-end.ts'
import { payoutReference, type Withdrawal } from '../../domain/withdrawal.ts'
import { payoutAlert, type SeenTransfer } from '../../messages/alerts.ts'

// The protocol of a transfer: an attempt has its reference before the provider hears of it, each sending is stamped before
// it goes out, and what became of the attempt takes effect once.

export const PAYOUT_INTENT = 'payout'

interface PayoutPayload {
  attempt: number
}

/** The attempt has its reference from now on; the provider does not know it yet. */
export function beginAttempt({ config }: Pick<Context, 'config'>, tx: Tx, withdrawal: Withdrawal): Promise<Withdrawal> {
  return enterStatus(tx, withdrawal, 'processing', {
    providerReference: payoutReference(withdrawal.id, withdrawal.attempt),
    submittedAt: null,
    verifyAt: new Date(tx.now.getTime() + config.paymentSweepAfterMs),
  })
}

/** Records that the attempt is to be pursued at the provider. A worker does so after the commit; the caller holds the lock. */
export async function pursueAttempt(tx: Tx, { id, ownerId, attempt }: Withdrawal): Promise<void> {
  const payload: PayoutPayload = { attempt }
  await openIntent(tx, { kind: PAYOUT_INTENT, subjectId: id, merchantId: ownerId, payload })
}

/**
 * Pursues an attempt until the provider has it: what may have been sent is asked about before it is sent again, under the
 * same reference. What was paid is asked about only. Throws service_unavailable where nothing is known, which is tried
 * again.
 */
export async function payOut(ctx: Context, { subject_id, payload }: Intent): Promise<{ transfer: string }> {
  const { payments } = ctx
  if (!payments) throw new ServiceError('service_unavailable', { message: 'no payment provider is configured' })
  const begun = await begin(ctx, subject_id, (payload as PayoutPayload).attempt)
  if (!begun) return { transfer: 'settled' }
  ctx.failpoint('payout.begun')

  const isPaid = begun.status === 'paid'
  const isNew = begun.submittedAt === null && !isPaid
  const known = isNew ? null : await payments.verifyTransfer(begun.providerReference!)
  if (!known && isPaid) {
    const seen = { status: 'unknown', amountMinor: null, currency: null }
    ctx.logger.error(...payoutAlert('payout_contradicted', begun, seen))
    return { transfer: 'unknown' }
  }
  const transfer = known ?? (await sendTransfer(ctx, payments, begun))
  if (!transfer) return { transfer: 'rejected' }
  ctx.failpoint('payout.sent')
  await ctx.transact('every tenant', async (tx) => {
    const withdrawal = await lockWithdrawal(tx, subject_id)
    if (withdrawal?.attempt === begun.attempt) await concludeTransfer(ctx, tx, withdrawal, transfer)
    else if (withdrawal && mayPay(transfer))
      ctx.logger.error(...payoutAlert('payout_contradicted', withdrawal, transfer))
  })
  ctx.failpoint('payout.settled')
  return { transfer: transfer.status }
}

/** True of a transfer that has arrived or still may: that of an attempt which another has replaced must do neither. */
function mayPay({ status }: Transfer): boolean {
  const end = transferEnd(status)
  return end === null || end === 'paid'
}

/** Null where the attempt has failed, or another has taken its place. */
function begin(ctx: Context, id: string, attempt: number): Promise<Withdrawal | null> {
  return ctx.transact('every tenant', async (tx) => {
    const found = await lockWithdrawal(tx, id)
    if (found?.attempt !== attempt) return null
    if (found.status === 'approved') return beginAttempt(ctx, tx, found)
    return found.status === 'processing' || found.status === 'paid' ? found : null
  })
}

/**
 * Sends the transfer of an attempt as it was when the provider knew of none; that it is sent is committed before it goes
 * out. Null: the provider refuses it and nothing that was sent can still arrive, so the attempt has failed. Throws
 * service_unavailable where that is not known, where another worker has sent it since, or where this one was held up after
 * the stamp: what was stamped long ago, others take for what cannot arrive any more.
 */
async function sendTransfer(ctx: Context, payments: Payments, withdrawal: Withdrawal): Promise<Transfer | null> {
  const { id, amountMinor, currency, recipientCode } = withdrawal
  const reference = withdrawal.providerReference!
  const stampedFrom = performance.now()
  const sentAt = await stamp(ctx, withdrawal)
  ctx.failpoint('payout.stamped')
  if (performance.now() - stampedFrom > CALL_LEASE_SECONDS * 1000)
    throw new ServiceError('service_unavailable', { message: 'this worker was held up before it sent a transfer' })
  try {
    return await payments.initiateTransfer({ reference, recipientCode, amountMinor, currency, reason: `Payout ${id}` })
  } catch (error) {
    const isRefused = error instanceof PaymentRefusedError
    if (!isRefused && !(error instanceof PaymentRepeatedError)) throw error
    ctx.logger.warn({ err: error, withdrawal: id, reference }, 'the provider refuses a transfer')
    const known = await payments.verifyTransfer(reference)
    if (known) return known
    if (isRefused && (await concludeRefusal(ctx, withdrawal, sentAt))) return null
    throw new ServiceError('service_unavailable', { cause: error })
  }
}

/** Each sending has a stamp of its own, which outdates those before it. */
function stamp(ctx: Context, seen: Withdrawal): Promise<Date> {
  return ctx.transact('every tenant', async (tx) => {
    const withdrawal = await lockWithdrawal(tx, seen.id)
    if (withdrawal?.status !== 'processing' || !isSentAt(withdrawal, seen))
      throw new ServiceError('service_unavailable', { message: 'another worker pursues this payout' })
    const afterLastMs = (seen.submittedAt?.getTime() ?? 0) + 1
    const sentAt = new Date(Math.max(tx.now.getTime(), afterLastMs))
    await storeWithdrawal(tx, { ...withdrawal, submittedAt: sentAt })
    return sentAt
  })
}

/**
 * Whether a refusal has ended the attempt: the stamp must still be ours, for a worker that overslept knows nothing of what
 * others have sent since; and what was sent before must be too old to arrive. Where it is not, it is the latest again that
 * may.
 */
function concludeRefusal(ctx: Context, before: Withdrawal, sentAt: Date): Promise<boolean> {
  return ctx.transact('every tenant', async (tx) => {
    const withdrawal = await lockWithdrawal(tx, before.id)
    if (!withdrawal || !isSentAt(withdrawal, { ...before, submittedAt: sentAt })) return false
    const { submittedAt } = before
    if (submittedAt && sentAt.getTime() - submittedAt.getTime() < ctx.config.paymentSweepAfterMs) {
      await storeWithdrawal(tx, { ...withdrawal, submittedAt })
      return false
    }
    const { amountMinor, currency } = withdrawal
    await concludeTransfer(ctx, tx, withdrawal, { status: 'rejected', amountMinor, currency })
    return true
  })
}

const isSentAt = (one: Withdrawal, other: Withdrawal): boolean =>
  one.attempt === other.attempt && one.submittedAt?.getTime() === other.submittedAt?.getTime()

export type Conclusion =
  | 'applied'
  /** It was known. */
  | 'repeated'
  /** It may still go either way. */
  | 'open'
  | 'amount_differs'
  /** It ended otherwise before; the first end stands. */
  | 'contradicts'

/**
 * Lets what became of the latest attempt take effect, once. Money leaves the wallet only for a transfer of the same amount,
 * and comes back from outside only by one; a reserve never left, and goes back whatever amount did not arrive. The caller
 * holds the lock of the withdrawal.
 */
export async function concludeTransfer(
  { logger }: Pick<Context, 'logger'>,
  tx: Tx,
  withdrawal: Withdrawal,
  seen: SeenTransfer,
): Promise<Conclusion> {
  const isSame = seen.amountMinor === withdrawal.amountMinor && seen.currency === withdrawal.currency
  const conclusion = await conclude(tx, withdrawal, seen.status, isSame)
  if (conclusion === 'contradicts') logger.error(...payoutAlert('payout_contradicted', withdrawal, seen))
  else if (!isSame && conclusion !== 'repeated') logger.error(...payoutAlert('payout_amount_differs', withdrawal, seen))
  else if (conclusion === 'open' && seen.status === 'otp')
    logger.error(...payoutAlert('payout_waits_for_code', withdrawal, seen))
  return conclusion
}

async function conclude(tx: Tx, withdrawal: Withdrawal, told: string, isSame: boolean): Promise<Conclusion> {
  const end = transferEnd(told)
  if (end === null) return isSame ? 'open' : 'amount_differs'
  if (end === 'paid' && !isSame) return 'amount_differs'

  if (withdrawal.status === 'processing') {
    if (end === 'paid') {
      await payReserve(tx, withdrawal)
      await enterStatus(tx, withdrawal, 'paid', { paidAt: tx.now, verifyAt: nextLook(tx.now, tx.now) })
    } else {
      await returnReserve(tx, withdrawal)
      await enterStatus(tx, withdrawal, 'failed', { failureReason: told, verifyAt: null })
    }
    return 'applied'
  }
  if (withdrawal.status === 'paid' && end === 'reversed') {
    if (!isSame) return 'amount_differs'
    await returnPayment(tx, withdrawal)
    await enterStatus(tx, withdrawal, 'failed', { failureReason: 'reversed', paidAt: null, verifyAt: null })
    return 'applied'
  }
  return (withdrawal.status === 'paid') === (end === 'paid') ? 'repeated' : 'contradicts'
}
