import { consumer } from '@svc/facts'
import { storeDeliveries } from '../db/billed-deliveries.ts'

/** Counts live deliveries, each order at its first. */
export const onOrderDelivered = consumer({
  name: 'order-delivered',
  of: ['order.delivered'],
  gatherMs: 500,
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
