import type { ListOrdersResponse } from '@svc/contracts/order/v1/order_service'
import { orNull } from './or-null.ts'
import { orderRowView } from './order.ts'

interface Filter {
  status?: string | undefined
  payment_verified?: boolean | undefined
}

/** A page of orders, newest first. */
export function orderListView(list: ListOrdersResponse, { status, payment_verified }: Filter): Record<string, unknown> {
  const withPoints = status === undefined && payment_verified === undefined
  return {
    orders: list.orders.map((order) => orderRowView(order, withPoints)),
    total: list.total,
    limit: list.limit,
    offset: list.offset,
    next_cursor: orNull(list.next_cursor),
  }
}
