import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { listOrders, type OrderList, pageOf } from './list-orders.ts'
import { riderScope } from './rider-reach.ts'

/** A page of the orders that the calling rider has or had, newest first. */
export async function listRiderOrders(
  ctx: Context,
  caller: Caller,
  { status, ...page }: { limit: number; offset: number; status?: string | undefined },
): Promise<OrderList> {
  const scope = riderScope(caller)
  if (!scope) return { orders: [], total: 0, nextCursor: undefined, ...pageOf(page) }
  return listOrders(ctx, scope, { riderId: caller.actor.id, isTest: caller.isTest === true, status }, page)
}
