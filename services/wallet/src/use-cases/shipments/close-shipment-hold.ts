import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { releaseHold } from '../../db/holds.ts'
import { shipmentOf } from '../../db/shipment-holds.ts'

/** Gives back whatever is still held for a shipment of which no order is under way any more. */
export async function closeShipmentHold(
  ctx: Pick<Context, 'transact'>,
  _by: By,
  { shipmentId }: { shipmentId: string },
): Promise<void> {
  const opKey = `shipment_close:${shipmentId}`
  await ctx.transact('every tenant', (tx) =>
    releaseHold(tx, { opKey, subject: shipmentOf(shipmentId), entryType: 'shipment_release' }),
  )
}
