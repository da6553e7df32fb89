import { type By, riderOf } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type PageOfOrders, pageOfOrders } from '../db/read-orders.ts'
import { riderScope } from '../domain/rider-reach.ts'

/** A page of the orders that the calling rider has or had, newest first. */
export async function listRiderOrders(
  ctx: Context,
  by: By,
  { status, ...page }: { limit: number; offset: number; status?: string | undefined },
): Promise<PageOfOrders> {
  const scope = riderScope(by.caller)
  if (!scope) return { orders: [], total: 0, nextCursor: undefined, ...page }
  const filter = { riderId: riderOf(by), isTest: by.caller.isTest === true, status }
  return pageOfOrders(ctx, scope, filter, page)
}
