import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { returnReserve } from '../../db/withdrawal-money.ts'
import { decideWithdrawal, enterStatus, type WithdrawalRow } from '../../db/withdrawals.ts'
import { requireStatus } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'

interface Rejection {
  id: string
  /** Told to the owner. */
  reason?: string | undefined
}

/** An operator rejects: the reserve goes back, and the owner is told why. */
export function rejectWithdrawal(ctx: Context, { caller }: By, { id, reason }: Rejection): Promise<WithdrawalRow> {
  return decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    requireStatus(withdrawal, 'pending_review')
    await returnReserve(tx, withdrawal)
    const rejected = await enterStatus(tx, withdrawal, 'rejected', {
      failure_reason: reason ?? 'rejected',
      reviewed_by: caller.actor.id,
      reviewed_at: tx.now,
    })
    tx.publish(withdrawalAudit(caller, 'withdrawal.reject', withdrawal, rejected))
    return rejected
  })
}
