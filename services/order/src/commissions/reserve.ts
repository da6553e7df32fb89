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
 * Records that the wallet is to hear who carries a live order, where the change of the order alters that, or takes the
 * commission out of escrow; true if it does. The call that gives back reserves too, so that nothing is available in
 * between, but an older replica of the wallet only gives back: where this finds the reservation it changes nothing.
 */
export async function resolveReservation(tx: OrmTx, order: Order, before: Before): Promise<boolean> {
  if (order.isTest) return false
  const carrier = carrierOf(order)
  const isGivenBack = before.commissionState === 'held' && order.commissionState === null
  if (carrier === carrierOf(before) && !(isGivenBack && carrier !== null)) return false
  const { id: orderId, merchantId } = order
  await openIntent(tx, { kind: RESERVE, subjectId: orderId, merchantId, payload: { orderId } })
  return true
}

type Before = Parameters<typeof carrierOf>[0] & Pick<Order, 'commissionState'>

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
