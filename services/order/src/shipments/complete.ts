import { openIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import { completeIfOver, lockShipment } from '../db/shipments.ts'
import { CLOSE } from './part.ts'

/** Completes the shipment if all of its orders have ended, and has whatever is still held given back. */
export async function complete(tx: Tx, shipmentId: string): Promise<void> {
  // Of two that end the last orders at once, the later one sees what the earlier one did.
  const { merchantId } = await lockShipment(tx, 'every tenant', shipmentId)
  if (!(await completeIfOver(tx, shipmentId))) return
  await openIntent(tx, { kind: CLOSE, subjectId: shipmentId, merchantId, payload: {} })
}
