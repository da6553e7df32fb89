import type { By } from '@svc/grpc'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type CarrierPosition, positionOfCarrier } from '../../db/position-history.ts'
import { isShownWhileTracked } from '../../domain/rider-position.ts'

/** Where the rider of an order is, from the acceptance until the order ends; null at any other time or for another rider. */
export async function getTrackedPosition(
  { database }: Context,
  _by: By,
  { orderId, riderId }: { orderId: string; riderId: string },
): Promise<CarrierPosition | null> {
  if (!isUuid(orderId) || !isUuid(riderId)) return null
  const position = await positionOfCarrier(database, orderId, riderId)
  return position && isShownWhileTracked(position.status) ? position : null
}
