import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { readOrder } from '../db/read-orders.ts'
import type { ShownOrder } from '../domain/shown-order.ts'

/** One order within the scope of the caller; not_found for unknown ids and for those of others alike. */
export const getOrder = ({ reads }: Context, { scope }: By, { orderId }: { orderId: string }): Promise<ShownOrder> =>
  readOrder(reads, scope, orderId)
