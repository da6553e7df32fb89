import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { readOrder, readRiderOrder } from '../db/read-orders.ts'
import { riderScope } from '../domain/rider-reach.ts'
import type { ShownOrder } from '../domain/shown-order.ts'

/** An order of the calling rider, or any that dispatch asks for; not_found for unknown orders and for those of others alike. */
export async function getRiderOrder(
  ctx: Context,
  { caller, scope: all }: By<'every tenant'>,
  { orderId }: { orderId: string },
): Promise<ShownOrder> {
  if (caller.kind === 'system') return readOrder(ctx.reads, all, orderId)
  const scope = riderScope(caller)
  if (!scope) throw new ServiceError('not_found')
  return readRiderOrder(ctx.reads, scope, caller, orderId)
}
