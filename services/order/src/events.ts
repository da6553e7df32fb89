import { encodeFact, type PayloadOf } from '@svc/contracts/facts'
import type { Order as OrderMessage } from '@svc/contracts/order/v1/order'
import { type Acting, auditOf, type Fact } from '@svc/transact'
import { FACT_JSON_LIMIT_BYTES, factJson, TEST_FACT_JSON_LIMIT_BYTES } from './domain/fact-json.ts'
import type { Announcement, Order } from './domain/order.ts'
import type { OrderEventType } from './domain/order-event.ts'
import { orderMessage } from './messages/order.ts'

type Payload = PayloadOf<OrderEventType>

/** The order after the act, within the size that facts may have. */
function payload(message: OrderMessage, more: Partial<Payload>, version: number): Payload {
  // The creation tells all of a test order, and is counted (sandboxRefusal); changes are not.
  const limit = message.is_test && version > 1 ? TEST_FACT_JSON_LIMIT_BYTES : FACT_JSON_LIMIT_BYTES
  return {
    ...more,
    muted: more.muted ?? false,
    order: { ...message, unified_json: factJson(message.unified_json, limit), version },
  }
}

/**
 * The bytes of order.created, which create_order() announces. The times of the order are absent: they equal the time of
 * the fact.
 */
export const orderCreatedPayload = (message: OrderMessage, muted: boolean): Buffer =>
  encodeFact('order.created', payload(message, { muted }, 1))

/** A fact that an act of an existing order announces; domain/order-event.ts names them. */
export function orderFact(
  order: Order,
  event: Announcement,
  trackingBaseUrl: string | undefined,
): Fact<OrderEventType> {
  const { type, version, previousStatus, previousRiderId } = event
  return {
    type,
    aggregateId: order.id,
    aggregateVersion: version,
    merchantId: order.merchantId,
    isTest: order.isTest,
    payload: payload(
      orderMessage(order, trackingBaseUrl),
      { previous_status: previousStatus, previous_rider_id: previousRiderId },
      version,
    ),
  }
}

/** So much time has passed in the merchant's sandbox. */
export const clockAdvanced = ({
  merchantId,
  version,
  seconds,
}: {
  merchantId: string
  version: number
  seconds: number
}): Fact<'sandbox.clock_advanced'> => ({
  type: 'sandbox.clock_advanced',
  aggregateId: merchantId,
  aggregateVersion: version,
  merchantId,
  isTest: true,
  payload: { seconds },
})

type State = Record<string, unknown>

/** The audit row of a privileged act on an order: what it changed. */
export function orderAudit(by: Acting, order: Order, action: string, before: State, after: State) {
  const { id: resourceId, merchantId, isTest } = order
  return auditOf(by, { action, resourceType: 'order', resourceId, merchantId, isTest, before, after })
}
