import { OrderFact } from '@svc/contracts/order/v1/order'
import type { Fact } from '@svc/outbox'
import { factJson } from './domain/fact-json.ts'
import type { Announcement, Order } from './domain/order.ts'
import { orderMessage } from './messages/order.ts'

/** The payload of a fact: the order after the act, within the size that facts may have. */
function payload(order: Order, trackingBaseUrl: string | undefined, more: Partial<OrderFact>, version: number): Buffer {
  const message = orderMessage(order, trackingBaseUrl)
  const fact = {
    ...more,
    muted: more.muted ?? false,
    order: { ...message, unified_json: factJson(message.unified_json), version },
  }
  return Buffer.from(OrderFact.encode(fact).finish())
}

/** The payload of order.created. The times of the order are absent: they equal the time of the fact. */
export const orderCreatedPayload = (order: Order, trackingBaseUrl: string | undefined, muted: boolean): Buffer =>
  payload(order, trackingBaseUrl, { muted }, 1)

/** A fact that an act of an existing order announces. */
export function orderFact(order: Order, event: Announcement, trackingBaseUrl: string | undefined): Fact {
  const { type, version, previousStatus, previousRiderId } = event
  return {
    type,
    aggregateType: 'order',
    aggregateId: order.id,
    aggregateVersion: version,
    merchantId: order.merchantId,
    isTest: order.isTest,
    payload: payload(
      order,
      trackingBaseUrl,
      { previous_status: previousStatus, previous_rider_id: previousRiderId },
      version,
    ),
  }
}
