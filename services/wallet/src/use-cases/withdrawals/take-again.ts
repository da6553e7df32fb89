import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Transfer } from '@svc/payments'
import type { Context } from '../../context.ts'
import { decided } from '../../db/decision.ts'
import { lockWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'
import { alertPayout } from './alert-payout.ts'
import { enterStatus } from './enter-status.ts'
import { reserve } from './move-money.ts'
import { settleTransfer } from './settle-transfer.ts'

/**
 * The transfer of a failed withdrawal has succeeded after all: takes the amount from its owner again and has it paid, as an
 * attempt of its own under the reference of that transfer. Answers the status it has then; where the wallet cannot bear
 * it, or the provider said before that the transfer came back, nothing moves but an alert.
 */
export async function takeAgain(
  ctx: Context,
  operator: Caller,
  failed: WithdrawalRow,
  transfer: Transfer,
): Promise<WithdrawalStatus> {
  const isSame = transfer.amountMinor === failed.amount_minor && transfer.currency === failed.currency
  if (isSame && failed.failure_reason !== 'reversed') {
    try {
      return await take(ctx, operator, failed, transfer)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'wallet_insufficient')) throw error
    }
  }
  alertPayout(ctx, isSame ? 'payout_contradicted' : 'payout_amount_differs', failed, transfer)
  return failed.status
}

function take(
  ctx: Context,
  operator: Caller,
  { id, attempt }: WithdrawalRow,
  transfer: Transfer,
): Promise<WithdrawalStatus> {
  return decided(
    ctx.transact('every tenant', async (tx) => {
      const failed = (await lockWithdrawal(tx, id))!
      if (failed.status !== 'failed' || failed.attempt !== attempt) return failed.status
      const next = { ...failed, attempt: attempt + 1, failure_reason: null }
      await reserve(tx, next)
      const processing = await enterStatus(tx, next, 'processing')
      await settleTransfer(ctx, tx, processing, transfer)
      const paid = (await lockWithdrawal(tx, id))!
      tx.publish(withdrawalAudit(operator, 'withdrawal.retry', failed, paid))
      return paid.status
    }),
  )
}
