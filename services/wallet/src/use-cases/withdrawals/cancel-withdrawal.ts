import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { returnReserve } from '../../db/withdrawal-money.ts'
import { decideWithdrawal, enterStatus } from '../../db/withdrawals.ts'
import { ownerOf } from '../../domain/owner.ts'
import { requireStatus, type Withdrawal } from '../../domain/withdrawal.ts'
import { withdrawalAudit } from '../../events.ts'

/** Gives the reserve back while the withdrawal waits for review, and then only. */
export function cancelWithdrawal(ctx: Context, by: By, { id }: { id: string }): Promise<Withdrawal> {
  const owner = ownerOf(by)
  return decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    if (withdrawal.ownerKind !== owner.kind || withdrawal.ownerId !== owner.id) throw new ServiceError('not_found')
    requireStatus(withdrawal, 'pending_review')
    await returnReserve(tx, withdrawal)
    const cancelled = await enterStatus(tx, withdrawal, 'cancelled')
    tx.publish(withdrawalAudit(by.caller, 'withdrawal.cancel', withdrawal, cancelled))
    return cancelled
  })
}
