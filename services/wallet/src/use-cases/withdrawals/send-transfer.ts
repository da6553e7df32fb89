import { ServiceError } from '@svc/errors'
import { PaymentRefusedError, PaymentRepeatedError, type Payments, type Transfer } from '@svc/payments'
import type { Context } from '../../context.ts'
import { decided } from '../../db/decision.ts'
import { lockWithdrawal, storeWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import { settleTransfer } from './settle-transfer.ts'

/**
 * Sends the transfer of an attempt as it was when the provider knew of none; that it is sent is committed before it goes
 * out. Null: the provider refuses it and nothing that was sent can still arrive, so the attempt has failed. Throws
 * service_unavailable where that is not known, or where another has sent it since.
 */
export async function sendTransfer(
  ctx: Context,
  payments: Payments,
  withdrawal: WithdrawalRow,
): Promise<Transfer | null> {
  const { id, amount_minor: amountMinor, currency, recipient_code: recipientCode } = withdrawal
  const reference = withdrawal.provider_reference!
  const sentAt = await stamp(ctx, withdrawal)
  ctx.failpoint('payout.stamped')
  try {
    return await payments.initiateTransfer({ reference, recipientCode, amountMinor, currency, reason: `Payout ${id}` })
  } catch (error) {
    const isRefused = error instanceof PaymentRefusedError
    if (!isRefused && !(error instanceof PaymentRepeatedError)) throw error
    ctx.logger.warn({ err: error, withdrawal: id, reference }, 'the provider refuses a transfer')
    const known = await payments.verifyTransfer(reference)
    if (known) return known
    if (isRefused && (await settleRefusal(ctx, withdrawal, sentAt))) return null
    throw new ServiceError('service_unavailable', { cause: error })
  }
}

/** Each sending has a stamp of its own, which outdates those before it. */
function stamp(ctx: Context, seen: WithdrawalRow): Promise<Date> {
  return decided(
    ctx.transact('every tenant', async (tx) => {
      const withdrawal = await lockWithdrawal(tx, seen.id)
      if (withdrawal?.status !== 'processing' || !isSentAt(withdrawal, seen))
        throw new ServiceError('service_unavailable', { message: 'another worker pursues this payout' })
      const afterLastMs = (seen.submitted_at?.getTime() ?? 0) + 1
      const sentAt = new Date(Math.max(tx.now.getTime(), afterLastMs))
      await storeWithdrawal(tx, { ...withdrawal, submitted_at: sentAt })
      return sentAt
    }),
  )
}

/**
 * Whether a refusal has ended the attempt: the stamp must still be ours, for whoever overslept knows nothing of what others
 * have sent since; and what was sent before must be too old to arrive. Where it is not, it is the latest again that may.
 */
function settleRefusal(ctx: Context, before: WithdrawalRow, sentAt: Date): Promise<boolean> {
  return decided(
    ctx.transact('every tenant', async (tx) => {
      const withdrawal = await lockWithdrawal(tx, before.id)
      if (!withdrawal || !isSentAt(withdrawal, { ...before, submitted_at: sentAt })) return false
      const { submitted_at } = before
      if (submitted_at && sentAt.getTime() - submitted_at.getTime() < ctx.config.paymentSweepAfterMs) {
        await storeWithdrawal(tx, { ...withdrawal, submitted_at })
        return false
      }
      const { amount_minor: amountMinor, currency } = withdrawal
      await settleTransfer(ctx, tx, withdrawal, { status: 'rejected', amountMinor, currency })
      return true
    }),
  )
}

const isSentAt = (one: WithdrawalRow, other: WithdrawalRow): boolean =>
  one.attempt === other.attempt && one.submitted_at?.getTime() === other.submitted_at?.getTime()
