import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import { type By, systemCaller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { isTerminal } from '../domain/terminal.ts'

/** An order of the calling rider; its service is the judge of that. A rider whom this service plays itself has no pass. */
export async function riderOrder(ctx: Pick<Context, 'fulfilment'>, by: By, orderId: string): Promise<Order> {
  const caller = by.caller.kind === 'system' ? systemCaller('dispatch', by.caller.requestId) : by.caller
  const { order } = await ctx.fulfilment.as(caller, { within: by }).getRiderOrder({ id: orderId })
  if (!order) throw new ServiceError('not_found')
  return order
}

/** The order that the calling rider carries now: not_found when it is another's, order_terminal when it has ended. */
export async function carriedOrder(ctx: Context, by: By, orderId: string): Promise<Order> {
  const order = await riderOrder(ctx, by, orderId)
  if (isTerminal(order.status)) throw new ServiceError('order_terminal', { details: { status: order.status } })
  return order
}

/** The phone to which the order's code goes, E.164. */
export function customerPhone({ unified_json }: Order): string {
  const { standardized } = JSON.parse(unified_json) as { standardized: { customer_phone: string } }
  return standardized.customer_phone
}
