import { openIntent } from '@svc/intents'
import { RESERVE } from '../commissions/reserve.ts'
import type { Context } from '../context.ts'
import { endWalk, keepCarriedTold, lockCarriedOrders, lockCarriedTold } from '../db/carried-told.ts'

const PAGE = 200

/**
 * Has the commissions reserved of a page of the orders that riders took on before commissions were; false once all are
 * seen for now. They are walked through twice: behind the first walk replicas of an earlier release may still give
 * orders to riders. It goes on where it stopped, and telling an order twice changes nothing.
 */
export async function tellCarried(ctx: Pick<Context, 'transact' | 'intents'>, page = PAGE): Promise<boolean> {
  const isMore = await ctx.transact('every tenant', async (tx) => {
    const { after, isDue } = await lockCarriedTold(tx)
    if (!isDue) return false
    const { read, last, carried } = await lockCarriedOrders(tx, after, page)
    for (const { id: orderId, merchantId } of carried)
      await openIntent(tx, { kind: RESERVE, subjectId: orderId, merchantId, payload: { orderId } })
    const isMore = read === page
    await (isMore ? keepCarriedTold(tx, last) : endWalk(tx))
    return isMore
  })
  ctx.intents.wake()
  return isMore
}
