import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { decideAdjustment, findAdjustment, lockAdjustment } from '../../db/cash-adjustments.ts'
import { openlyDeclared } from '../../db/cash-remittances.ts'
import { type CashAdjustment, requireApprovable, requirePending } from '../../domain/cash-adjustment.ts'
import { adjustmentAudit } from '../../events.ts'
import { isSecondPerson } from '../../peers/second-person.ts'

/** A second person applies an adjustment above the four-eyes limit, as far as it still fits what is in hand; once. */
export async function approveCashAdjustment(
  ctx: Pick<Context, 'transact' | 'operators'>,
  by: By,
  { id }: { id: string },
): Promise<CashAdjustment> {
  const { caller } = by
  const seen = await ctx.transact('every tenant', (tx) => findAdjustment(tx.sql, id))
  requirePending(seen)
  if (!(await isSecondPerson(ctx, by, seen.proposedBy, seen))) throw new ServiceError('second_approver_required')
  return ctx.transact('every tenant', async (tx) => {
    const locked = await lockAdjustment(tx, id)
    const { adjustment, account } = locked
    requirePending(adjustment)
    const declaredMinor = (await openlyDeclared(tx, account.id)).minor
    requireApprovable(adjustment, account, declaredMinor)
    const after = await decideAdjustment(tx, locked, { status: 'applied', decidedBy: caller.actor.id })
    tx.publish(adjustmentAudit(caller, 'cash_adjustment.approve', after))
    return after
  })
}
