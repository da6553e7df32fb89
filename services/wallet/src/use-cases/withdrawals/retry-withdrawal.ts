import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Payments } from '@svc/payments'
import type { Context } from '../../context.ts'
import { lockWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import { transferEnd } from '../../domain/transfer-end.ts'
import { withdrawalAudit } from '../../events.ts'
import { alertPayout } from './alert-payout.ts'
import { decideWithdrawal, requireStatus } from './decide-withdrawal.ts'
import { reserve } from './move-money.ts'
import { beginAttempt, pursueAttempt } from './payout-attempt.ts'
import { takeAgain } from './take-again.ts'

/**
 * An operator has a failed withdrawal paid out once more: the amount is reserved again, under a new reference. The
 * provider is asked about the old one first: while that transfer may arrive, or has arrived, this is refused.
 */
export async function retryWithdrawal(ctx: Context, operator: Caller, id: string): Promise<WithdrawalRow> {
  if (!ctx.payments) throw new ServiceError('payments_not_configured')
  const seen = await ctx.transact('every tenant', (tx) => lockWithdrawal(tx, id))
  if (!seen) throw new ServiceError('not_found')
  requireRetriable(ctx, operator, seen)
  await requireEnded(ctx, ctx.payments, operator, seen)

  const after = await decideWithdrawal(ctx, id, async (tx, failed) => {
    requireRetriable(ctx, operator, failed)
    // Of another attempt nobody has asked the provider.
    if (failed.attempt !== seen.attempt) throw new ServiceError('invalid_state', { details: { status: failed.status } })
    const next = {
      ...failed,
      attempt: failed.attempt + 1,
      provider_reference: null,
      failure_reason: null,
      reviewed_by: operator.actor.id,
      reviewed_at: tx.now,
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

/** Above the four-eyes limit another operator than the one who let it go out last. */
function requireRetriable({ config }: Context, operator: Caller, withdrawal: WithdrawalRow): void {
  requireStatus(withdrawal, 'failed')
  const isLarge = withdrawal.amount_minor > config.fourEyesAboveMinor
  if (isLarge && withdrawal.reviewed_by === operator.actor.id) throw new ServiceError('second_approver_required')
}

async function requireEnded(ctx: Context, payments: Payments, operator: Caller, failed: WithdrawalRow): Promise<void> {
  const transfer = await payments.verifyTransfer(failed.provider_reference!)
  if (!transfer) return
  const end = transferEnd(transfer.status)
  if (end === null) {
    alertPayout(ctx, 'payout_contradicted', failed, transfer)
    throw new ServiceError('invalid_state', { details: { status: failed.status, reason: 'transfer_pending' } })
  }
  if (end === 'paid') {
    const status = await takeAgain(ctx, operator, failed, transfer)
    throw new ServiceError('invalid_state', { details: { status, reason: 'transfer_succeeded' } })
  }
}
