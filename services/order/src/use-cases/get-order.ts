import type { Scope } from '@svc/outbox'
import type { Context } from '../context.ts'
import { findOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'

/** One order within the scope; not_found for unknown ids and for those of others alike. */
export async function getOrder(ctx: Context, scope: Scope, id: string): Promise<Order> {
  return ctx.transact(scope, ({ em }) => findOrder(em, scope, id))
}
