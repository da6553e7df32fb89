import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { closeTimers } from '../db/sim-timers.ts'
import type { Announcement, Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { orderFact } from '../events.ts'
import { tellShipment } from '../shipments/part.ts'

export interface EmittedEvent {
  event: string
  event_id: string
}

/**
 * Publishes what a change announced, in its order, in the transaction of the change. An order that has ended keeps no open
 * simulator steps, and its shipment hears of it.
 */
export async function announce(
  ctx: Pick<Context, 'config'>,
  tx: Tx,
  order: Order,
  announcements: readonly Announcement[],
): Promise<EmittedEvent[]> {
  const emitted = announcements.map((announcement) => ({
    event: announcement.type,
    event_id: tx.publish(orderFact(order, announcement, ctx.config.trackingBaseUrl)),
  }))
  if (emitted.length > 0) await tellShipment(tx, order)
  if (emitted.length > 0 && order.isTest && isTerminal(order.status)) await closeTimers(tx, order.id)
  return emitted
}
