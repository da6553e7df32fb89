import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type Page, type PageOfOrders, pageOfOrders } from '../db/read-orders.ts'
import type { OrderFilter } from '../domain/order-filter.ts'

/** A page of the orders within the caller's scope that match every stated filter; operators may name a merchant. */
export async function listOrders(
  ctx: Context,
  { scope }: By,
  { limit, offset, cursor, merchantId, ...filter }: OrderFilter & Page,
): Promise<PageOfOrders> {
  const named = scope === 'every tenant' ? { merchantId } : {}
  return pageOfOrders(ctx, scope, { ...filter, ...named }, { limit, offset, cursor })
}
