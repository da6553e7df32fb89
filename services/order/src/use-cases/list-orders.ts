import { validationError } from '@svc/errors'
import type { Scope } from '@svc/outbox'
import type { Context } from '../context.ts'
import { listOrders as findOrders, type OrderFilter } from '../db/orders.ts'
import { decodeCursor, encodeCursor } from '../domain/cursor.ts'
import type { Order } from '../domain/order.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

export interface OrderList {
  orders: Order[]
  total: number
  /** What was used, after the maximum was applied. */
  limit: number
  offset: number
  nextCursor: string | undefined
}

/** A page of the orders within the scope that match every stated filter, newest first. */
export async function listOrders(
  ctx: Context,
  scope: Scope,
  filter: OrderFilter,
  page: { limit: number; offset: number; cursor?: string | undefined },
): Promise<OrderList> {
  const { limit, offset } = pageOf(page)
  const after = page.cursor ? decodeCursor(page.cursor) : null
  const { orders, total } = await ctx.transact(scope, (tx) => findOrders(tx, scope, filter, { limit, offset, after }))
  const last = orders.length === limit ? orders.at(-1) : undefined
  return { orders, total, limit, offset, nextCursor: last && encodeCursor(last) }
}

/** The page that is meant: 50 orders unless stated, 200 at most. */
export function pageOf({ limit, offset }: { limit: number; offset: number }): { limit: number; offset: number } {
  return {
    limit: Math.min(wholeNumber('limit', limit) || DEFAULT_LIMIT, MAX_LIMIT),
    offset: wholeNumber('offset', offset),
  }
}

function wholeNumber(field: string, value: number): number {
  if (value < 0) throw validationError([{ field, rule: 'min', message: `${field} must not be negative.` }])
  return value
}
