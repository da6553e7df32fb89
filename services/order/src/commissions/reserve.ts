import { ServiceError } from '@svc/errors'
import { type Intent, openIntent, untilDone } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { openIntentOf } from '../db/commission-intents.ts'
import { lockOrder } from '../db/orders.ts'
import { commissionedOrder } from '../domain/commission.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { GIVE_BACK } from './escrow.ts'

/** The kind of intents by which what a rider carries is paid for: the commission is out of the merchant's reach. */
export const RESERVE = 'commission_reserve'

interface Carried {
  status: string
  riderId: string | null
}

/**
 * Records that the wallet is to hear who carries a live order, where the change of the order alters that or takes its
 * commission out of escrow; true if it does.
 */
export async function resolveReservation(tx: Tx, order: Order, before: Carried & Escrowed): Promise<boolean> {
  const isOutOfEscrow = before.commissionState === 'held' && order.commissionState === null
  if (order.isTest || (carrierOf(order) === carrierOf(before) && !isOutOfEscrow)) return false
  const { id: orderId, merchantId } = order
  await openIntent(tx, { kind: RESERVE, subjectId: orderId, merchantId, payload: { orderId } })
  return true
}

interface Escrowed {
  commissionState: string | null
}

const carrierOf = ({ status, riderId }: Carried): string | null => (isTerminal(status) ? null : riderId)

/** Tells the wallet who carries the order by now; what is newer than that comes with an intent of its own. */
export async function reserveCommission(ctx: Pick<Context, 'transact' | 'wallet'>, intent: Intent): Promise<object> {
  const { orderId } = intent.payload as { orderId: string }
  const order = await ctx.transact('every tenant', async (tx) => {
    const found = await lockOrder(tx.em, 'every tenant', orderId)
    // What was in escrow is on its way back, and can be reserved once it is there.
    if (await openIntentOf(tx, orderId, [GIVE_BACK])) throw new ServiceError('service_unavailable')
    return found
  })
  const { riderId: _, ...commissioned } = commissionedOrder(order, undefined)
  const carrier = carrierOf(order)
  const carried = { ...commissioned, ...(carrier !== null && { riderId: carrier }) }
  await untilDone(ctx.wallet.reserve({ ...carried, orderId, version: order.version }))
  return { rider_id: carrier, version: order.version }
}
