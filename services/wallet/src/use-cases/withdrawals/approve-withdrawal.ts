import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { decideWithdrawal, enterStatus, storeApproval, storeWithdrawal } from '../../db/withdrawals.ts'
import { requireStatus, type Withdrawal } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'
import { pursueAttempt } from './transfer.ts'

/** An operator approves; above the four-eyes limit the withdrawal waits until a second one does. */
export async function approveWithdrawal(ctx: Context, { caller }: By, { id }: { id: string }): Promise<Withdrawal> {
  const after = await decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    requireStatus(withdrawal, 'pending_review')
    if (!(await storeApproval(tx, id, caller.actor.id))) throw new ServiceError('second_approver_required')
    const approvals = withdrawal.approvals + 1
    const needed = withdrawal.amountMinor > ctx.config.fourEyesAboveMinor ? 2 : 1
    const changes = { approvals, reviewedBy: caller.actor.id, reviewedAt: tx.now }
    const reviewed =
      approvals < needed
        ? await storeFirst(tx, { ...withdrawal, approvals })
        : await enterStatus(tx, withdrawal, 'approved', changes)
    if (reviewed.status === 'approved') await pursueAttempt(tx, reviewed)
    tx.publish(withdrawalAudit(caller, 'withdrawal.approve', withdrawal, reviewed))
    return reviewed
  })
  ctx.intents.wake()
  return after
}

async function storeFirst(tx: Tx, withdrawal: Withdrawal): Promise<Withdrawal> {
  await storeWithdrawal(tx, withdrawal)
  return withdrawal
}
