import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findByTrackingToken } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'

const HOUR_MS = 3_600_000

/** The order behind a tracking link; tracking_expired when it ended too long ago, not_found for an unknown token. */
export async function trackOrder(ctx: Context, { scope }: By, { token }: { token: string }): Promise<Order> {
  return ctx.transact(scope, async ({ em, now }) => {
    const order = token === '' ? null : await findByTrackingToken(em, token)
    if (!order) throw new ServiceError('not_found')
    const lifeMs = ctx.config.trackingTerminalTtlHours * HOUR_MS
    if (order.terminalAt && order.terminalAt.getTime() + lifeMs <= now.getTime())
      throw new ServiceError('tracking_expired')
    return order
  })
}
