import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { Order } from '../domain/order.ts'
import { findRiderOrder, riderScope } from './rider-reach.ts'

/** An order of the calling rider; not_found for unknown orders and for those of others alike. */
export async function getRiderOrder(ctx: Context, caller: Caller, id: string): Promise<Order> {
  const scope = riderScope(caller)
  if (!scope) throw new ServiceError('not_found')
  return ctx.transact(scope, (tx) => findRiderOrder(tx, scope, caller, id))
}
