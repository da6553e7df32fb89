import { OrderFact } from '@svc/contracts/order/v1/order'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { storeDeliveries } from '../db/billed-deliveries.ts'

/** Counts live deliveries, each order at its first. */
export const onOrderDelivered = consumer<OrderFact, Context>({
  topic: 'svc.order.v1',
  types: ['order.delivered'],
  name: 'delivery',
  message: OrderFact,
  batch: true,
  async handle(facts, tx) {
    await storeDeliveries(
      tx,
      facts.flatMap(({ aggregateId: orderId, merchantId, isTest, time: deliveredAt }) =>
        isTest || merchantId === null ? [] : [{ orderId, merchantId, deliveredAt }],
      ),
    )
  },
})
