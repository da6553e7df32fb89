import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findOrder, findRiderOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { riderScope } from '../domain/rider-reach.ts'

/** An order of the calling rider, or any that dispatch asks for; not_found for unknown orders and for those of others alike. */
export async function getRiderOrder(
  ctx: Context,
  { caller, scope: all }: By<'every tenant'>,
  { orderId }: { orderId: string },
): Promise<Order> {
  if (caller.kind === 'system') return ctx.transact(all, ({ em }) => findOrder(em, all, orderId))
  const scope = riderScope(caller)
  if (!scope) throw new ServiceError('not_found')
  return ctx.transact(scope, ({ em }) => findRiderOrder(em, scope, caller, orderId))
}
