import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'

/** One order within the scope of the caller; not_found for unknown ids and for those of others alike. */
export async function getOrder(ctx: Context, { scope }: By, { orderId }: { orderId: string }): Promise<Order> {
  return ctx.transact(scope, ({ em }) => findOrder(em, scope, orderId))
}
