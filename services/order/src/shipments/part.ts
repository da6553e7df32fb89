import { openIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import { markDispatching } from '../db/shipments.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'

/** The kind of intents by which what a shipment holds for an order is given back once the order has ended. */
export const PART = 'shipment_part'
/** The kind of intents by which whatever a shipment still holds is given back once all of its orders have. */
export const CLOSE = 'shipment_close'

/** What a change of one of its orders means for a shipment. */
export async function tellShipment(tx: Tx, { id, merchantId, status, shipmentId }: Order): Promise<void> {
  if (shipmentId === null) return
  // One that is cancelled while it waits was with no rider; of one that was, the shipment heard before.
  if (status !== 'pending' && status !== 'cancelled') await markDispatching(tx, shipmentId)
  if (isTerminal(status)) await openIntent(tx, { kind: PART, subjectId: id, merchantId, payload: { shipmentId } })
}
