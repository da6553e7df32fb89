import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { releaseHold } from '../../db/holds.ts'
import { shipmentOf } from '../../db/shipment-holds.ts'

/** Gives up a placement: what it holds goes back, and one that has not arrived yet never takes effect. */
export async function giveUpShipmentHold(
  ctx: Pick<Context, 'transact'>,
  _by: By,
  { opKey, shipmentId, placeOpKey }: { opKey: string; shipmentId: string; placeOpKey: string },
): Promise<void> {
  await ctx.transact('every tenant', (tx) =>
    releaseHold(tx, {
      opKey,
      subject: shipmentOf(shipmentId),
      attemptOpKey: placeOpKey,
      entryType: 'shipment_release',
    }),
  )
}
