import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { releasePart } from '../../db/shipment-holds.ts'

/** Gives back what was held for an order that has ended, once; what its commission took before stays taken. */
export async function releaseShipmentPart(
  ctx: Pick<Context, 'transact'>,
  _by: By,
  { orderId }: { orderId: string },
): Promise<void> {
  await ctx.transact('every tenant', (tx) => releasePart(tx, orderId))
}
