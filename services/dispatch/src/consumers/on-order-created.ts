import { OrderFact } from '@svc/contracts/order/v1/order'
import { consumer } from '@svc/outbox'
import { rememberNewOrders } from '../use-cases/assignment/remember-order.ts'

/** Takes over new orders, those of a moment in one statement: most facts are of this kind. Nothing is locked for it. */
export const onOrderCreated = consumer<OrderFact, unknown>({
  topic: 'svc.order.v1',
  types: ['order.created'],
  name: 'order-created',
  message: OrderFact,
  batch: true,
  async handle(facts, tx) {
    await rememberNewOrders(
      tx,
      facts.flatMap(({ message: { order }, time }) => (order ? [{ order, at: time }] : [])),
    )
  },
})
