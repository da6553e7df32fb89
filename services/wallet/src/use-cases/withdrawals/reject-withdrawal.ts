import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { returnReserve } from '../../db/withdrawal-money.ts'
import { decideWithdrawal, enterStatus } from '../../db/withdrawals.ts'
import { requireStatus, type Withdrawal } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'

interface Rejection {
  id: string
  /** Told to the owner. */
  reason?: string | undefined
}

/** An operator rejects: the reserve goes back, and the owner is told why. */
export function rejectWithdrawal(ctx: Context, { caller }: By, { id, reason }: Rejection): Promise<Withdrawal> {
  return decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    requireStatus(withdrawal, 'pending_review')
    await returnReserve(tx, withdrawal)
    const rejected = await enterStatus(tx, withdrawal, 'rejected', {
      failureReason: reason ?? 'rejected',
      reviewedBy: caller.actor.id,
      reviewedAt: tx.now,
    })
    tx.publish(withdrawalAudit(caller, 'withdrawal.reject', withdrawal, rejected))
    return rejected
  })
}
