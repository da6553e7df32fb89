import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideAdjustment, lockAdjustment } from '../../db/cash-adjustments.ts'
import { type CashAdjustment, requirePending } from '../../domain/cash-adjustment.ts'
import { adjustmentAudit } from '../../events.ts'

/** An operator, the one who proposed it as well, ends an adjustment that waits for a second one: nothing moves. */
export async function rejectCashAdjustment(
  ctx: Pick<Context, 'transact'>,
  { caller }: By,
  { id }: { id: string },
): Promise<CashAdjustment> {
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockAdjustment(tx, id)
    requirePending(locked.adjustment)
    const after = await decideAdjustment(tx, locked, { status: 'rejected', decidedBy: caller.actor.id })
    tx.publish(adjustmentAudit(caller, 'cash_adjustment.reject', after))
    return after
  })
}
