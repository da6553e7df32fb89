import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { releaseHold } from '../db/holds.ts'
import type { Decision } from '../domain/operation.ts'
import { commissionReturnedFact } from '../events.ts'
import type { EscrowedCommission } from './release-commission.ts'
import { type CarriedOrder, followOrder } from './reserve-commission.ts'

interface VoidedCommission extends EscrowedCommission {
  attemptOpKey?: string | undefined
  /** The order as it is by now. */
  carried?: CarriedOrder | undefined
}

/**
 * Gives back what lies in escrow for the order; what was paid stays paid. A named attempt that was not decided never is
 * any more, however late it arrives. What goes back is reserved at once for the rider who carries the order: nobody
 * finds it available in between.
 */
export async function voidCommission(
  ctx: Context,
  _by: By,
  { attemptOpKey, carried, ...commission }: VoidedCommission,
): Promise<Decision> {
  const { opKey, orderId } = commission
  const release = {
    opKey,
    subject: { kind: 'commission', id: orderId },
    attemptOpKey,
    entryType: 'commission_released',
    orderId,
  } as const
  const fact = commissionReturnedFact(commission)
  const step = ctx.transact('every tenant', async (tx) => {
    const decision = await releaseHold(tx, release, fact)
    if (carried) await followOrder(ctx, tx, carried)
    return decision
  })
  return step.finally(ctx.relay.wake)
}
