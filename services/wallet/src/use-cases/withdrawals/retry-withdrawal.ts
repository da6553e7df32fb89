import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import type { WithdrawalRow } from '../../db/withdrawals.ts'
import { decideWithdrawal, requireStatus } from './decide-withdrawal.ts'
import { reserve } from './move-money.ts'
import { beginAttempt, pursueAttempt } from './payout-attempt.ts'
import { withdrawalAudit } from './withdrawal-audit.ts'

/** An operator has a failed withdrawal paid out once more: the amount is reserved again, under a new reference. */
export async function retryWithdrawal(ctx: Context, operator: Caller, id: string): Promise<WithdrawalRow> {
  const after = await decideWithdrawal(ctx, id, async (tx, failed) => {
    requireStatus(failed, 'failed')
    const next = { ...failed, attempt: failed.attempt + 1, failure_reason: null, paid_at: null }
    await reserve(tx, next)
    const processing = await beginAttempt(ctx, tx, next)
    await pursueAttempt(tx, processing)
    tx.publish(withdrawalAudit(operator, 'withdrawal.retry', failed, processing))
    return processing
  })
  ctx.intents.wake()
  return after
}
