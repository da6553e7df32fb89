import { consumer } from '@svc/facts'
import { rememberNewOrders } from '../use-cases/assignment/remember-order.ts'

/** Takes over new orders, those of a moment in one statement: most facts are of this kind. Nothing is locked for it. */
export const onOrderCreated = consumer({
  name: 'order-created',
  of: ['order.created'],
  batch: true,
  async handle(facts, tx) {
    await rememberNewOrders(
      tx,
      facts.flatMap(({ message: { order }, time }) => (order ? [{ order, at: time }] : [])),
    )
  },
})
