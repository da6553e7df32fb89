import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { readTrackedOrder } from '../db/read-orders.ts'
import type { TrackedOrder } from '../domain/shown-order.ts'

const HOUR_MS = 3_600_000

/** The order behind a tracking link; tracking_expired when it ended too long ago, not_found for an unknown token. */
export async function trackOrder(
  { reads, config }: Context,
  _by: By,
  { token }: { token: string },
): Promise<TrackedOrder> {
  if (token === '') throw new ServiceError('not_found')
  const order = await readTrackedOrder(reads, token)
  const lifeMs = config.trackingTerminalTtlHours * HOUR_MS
  if (order.terminalAt && order.terminalAt.getTime() + lifeMs <= order.now.getTime())
    throw new ServiceError('tracking_expired')
  return order
}
