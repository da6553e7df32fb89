import { ServiceError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import type { Payments, Transfer } from '@svc/payments'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { reserve } from '../../db/withdrawal-money.ts'
import { decideWithdrawal, enterStatus, lockPayee, lockWithdrawal, takesTwoOperators } from '../../db/withdrawals.ts'
import { transferEnd } from '../../domain/transfer-end.ts'
import { requireStatus, type Withdrawal, type WithdrawalStatus } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'
import { payoutAlert } from '../../messages/alerts.ts'
import { requirePayments } from '../../peers/plans.ts'
import { isSecondPerson } from '../../peers/second-person.ts'
import { beginAttempt, concludeTransfer, pursueAttempt } from './transfer.ts'

/**
 * An operator has a failed withdrawal paid out once more: the amount is reserved again, under a new reference. The
 * provider is asked about the old one first: while that transfer may arrive, or has arrived, this is refused.
 */
export async function retryWithdrawal(ctx: Context, by: By, { id }: { id: string }): Promise<Withdrawal> {
  const { caller: operator } = by
  const payments = requirePayments(ctx)
  const seen = await ctx.transact('every tenant', async (tx) => {
    const withdrawal = await lockWithdrawal(tx, id)
    if (!withdrawal) throw new ServiceError('not_found')
    requireStatus(withdrawal, 'failed')
    return { ...withdrawal, isLarge: await isLarge(ctx, tx, withdrawal) }
  })
  // Above the four-eyes limit another person than the one who let it go out last.
  const isAnother = seen.isLarge && (await isSecondPerson(ctx, by, seen.reviewedBy!, seen))
  if (seen.isLarge && !isAnother) throw new ServiceError('second_approver_required')
  await requireEnded(ctx, payments, operator, seen)

  const after = await decideWithdrawal(ctx, id, async (tx, failed) => {
    requireStatus(failed, 'failed')
    // Of another attempt the provider was not asked.
    if (failed.attempt !== seen.attempt) throw new ServiceError('invalid_state', { details: { status: failed.status } })
    await lockPayee(tx, failed)
    if (!isAnother && (await isLarge(ctx, tx, failed))) throw new ServiceError('second_approver_required')
    const next = {
      ...failed,
      attempt: failed.attempt + 1,
      providerReference: null,
      failureReason: null,
      reviewedBy: operator.actor.id,
      reviewedAt: tx.now,
    }
    await reserve(tx, next)
    const processing = await beginAttempt(ctx, tx, next)
    await pursueAttempt(tx, processing)
    tx.publish(withdrawalAudit(operator, 'withdrawal.retry', failed, processing))
    return processing
  })
  ctx.intents.wake()
  return after
}

const isLarge = ({ config }: Context, tx: Tx, withdrawal: Withdrawal): Promise<boolean> =>
  takesTwoOperators(tx, withdrawal, config.fourEyesAboveMinor)

async function requireEnded(ctx: Context, payments: Payments, operator: Caller, failed: Withdrawal): Promise<void> {
  const transfer = await payments.verifyTransfer(failed.providerReference!)
  if (!transfer) return
  const end = transferEnd(transfer.status)
  if (end === null) {
    ctx.logger.error(...payoutAlert('payout_contradicted', failed, transfer))
    throw new ServiceError('invalid_state', { details: { status: failed.status, reason: 'transfer_pending' } })
  }
  if (end === 'paid') {
    const status = await takeAgain(ctx, operator, failed, transfer)
    throw new ServiceError('invalid_state', { details: { status, reason: 'transfer_succeeded' } })
  }
}

/**
 * The transfer of a failed withdrawal has succeeded after all: takes the amount from its owner again and has it paid, as an
 * attempt of its own under the reference of that transfer. Answers the status it has then; where the wallet cannot bear
 * it, or the provider said before that the transfer came back, nothing moves but an alert.
 */
async function takeAgain(
  ctx: Context,
  operator: Caller,
  failed: Withdrawal,
  transfer: Transfer,
): Promise<WithdrawalStatus> {
  const isSame = transfer.amountMinor === failed.amountMinor && transfer.currency === failed.currency
  if (isSame && failed.failureReason !== 'reversed') {
    try {
      return await take(ctx, operator, failed, transfer)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'wallet_insufficient')) throw error
    }
  }
  const alert = isSame ? 'payout_contradicted' : 'payout_amount_differs'
  ctx.logger.error(...payoutAlert(alert, failed, transfer))
  return failed.status
}

function take(
  ctx: Context,
  operator: Caller,
  { id, attempt }: Withdrawal,
  transfer: Transfer,
): Promise<WithdrawalStatus> {
  return ctx.transact('every tenant', async (tx) => {
    const failed = (await lockWithdrawal(tx, id))!
    if (failed.status !== 'failed' || failed.attempt !== attempt) return failed.status
    const next = { ...failed, attempt: attempt + 1, failureReason: null }
    await reserve(tx, next)
    const processing = await enterStatus(tx, next, 'processing')
    await concludeTransfer(ctx, tx, processing, transfer)
    const paid = (await lockWithdrawal(tx, id))!
    tx.publish(withdrawalAudit(operator, 'withdrawal.retry', failed, paid))
    return paid.status
  })
}
