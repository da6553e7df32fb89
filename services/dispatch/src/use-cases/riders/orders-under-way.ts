import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { isTerminal } from '../../domain/terminal.ts'

interface ActiveOrder {
  orderId: string
  since: Date
  /** The rider has said yes and the order has not answered. */
  isAccepting: boolean
}

/**
 * Does the work in a transaction in which the rider has no order under way, or throws active_order. `lock` holds the
 * rider against assignments. What is remembered here lags behind the orders, so those are asked before the refusal.
 * Only orders of `ofMerchant` count.
 */
export async function withoutOrders<T, R extends { id: string }>(
  ctx: Context,
  lock: (tx: Tx) => Promise<R>,
  work: (tx: Tx, rider: R) => Promise<T>,
  ofMerchant: string = 'anybody',
): Promise<T> {
  let ended: readonly ActiveOrder[] = []
  while (true) {
    const outcome = await ctx.transact('every tenant', async (tx) => {
      const rider = await lock(tx)
      const active = await activeOrders(tx, rider.id, ofMerchant)
      const open = active.filter((order) => !ended.some((known) => isSame(known, order)))
      return open.length === 0 ? { result: await work(tx, rider) } : { rider, active, open }
    })
    if ('result' in outcome) return outcome.result as T
    const { rider, active, open } = outcome
    for (const order of open) {
      if (order.isAccepting || (await isUnderWay(ctx, rider.id, order.orderId))) {
        throw new ServiceError('active_order', { details: { order_id: order.orderId } })
      }
    }
    ended = active
  }
}

const isSame = (one: ActiveOrder, other: ActiveOrder): boolean =>
  one.orderId === other.orderId && one.since.getTime() === other.since.getTime() && !other.isAccepting

async function activeOrders(tx: Tx, riderId: string, ofMerchant: string): Promise<ActiveOrder[]> {
  const { rows } = await tx.sql<ActiveOrder>(
    `SELECT a.order_id AS "orderId", a.since,
            EXISTS (SELECT FROM dispatch_offers o
                     WHERE o.order_id = a.order_id AND o.rider_id = a.rider_id AND o.state = 'accepting') AS "isAccepting"
       FROM rider_active a WHERE a.rider_id = $1 AND $2 IN ('anybody', a.merchant_id::text)`,
    [riderId, ofMerchant],
  )
  return rows
}

async function isUnderWay(ctx: Context, riderId: string, orderId: string): Promise<boolean> {
  const orders = ctx.fulfilment.as(systemCaller('dispatch'))
  const { order } = await orders.getRiderOrder({ id: orderId }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') return { order: undefined }
    throw error
  })
  return order !== undefined && order.rider?.id === riderId && !isTerminal(order.status)
}
