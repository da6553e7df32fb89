import { ServiceError } from '@svc/errors'
import { type Intent, openIntent, untilDone } from '@svc/intents'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { openIntentOf } from '../db/commission-intents.ts'
import { lockOrder } from '../db/orders.ts'
import { carriedOrder, carrierOf } from '../domain/commission.ts'
import type { Order } from '../domain/order.ts'
import { GIVE_BACK } from './escrow.ts'

/** The kind of intents by which what a rider carries is paid for: the commission is out of the merchant's reach. */
export const RESERVE = 'commission_reserve'

/**
 * Records that the wallet is to hear who carries a live order, where the change of the order alters that; true if it
 * does. What leaves escrow is reserved by the call that gives it back.
 */
export async function resolveReservation(tx: OrmTx, order: Order, before: Carried): Promise<boolean> {
  if (order.isTest || carrierOf(order) === carrierOf(before)) return false
  const { id: orderId, merchantId } = order
  await openIntent(tx, { kind: RESERVE, subjectId: orderId, merchantId, payload: { orderId } })
  return true
}

type Carried = Parameters<typeof carrierOf>[0]

/** Tells the wallet who carries the order by now; what is newer than that comes with an intent of its own. */
export async function reserveCommission(ctx: Pick<Context, 'transact' | 'wallet'>, intent: Intent): Promise<object> {
  const { orderId } = intent.payload as { orderId: string }
  const order = await ctx.transact('every tenant', async (tx) => {
    const found = await lockOrder(tx.em, 'every tenant', orderId)
    // What was in escrow is on its way back, and can be reserved once it is there.
    if (await openIntentOf(tx, orderId, [GIVE_BACK])) throw new ServiceError('service_unavailable')
    return found
  })
  const carried = carriedOrder(order)
  await untilDone(ctx.wallet.reserve(carried))
  return { rider_id: carried.riderId ?? null, version: carried.version }
}
