import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { rememberNewOrders } from '../use-cases/assignment/remember-order.ts'

/**
 * Takes over new orders, those of a moment together and with the beginning of their searches: most facts are of this kind.
 * The workers are woken only where something is left for them.
 */
export const onOrderCreated = consumer({
  name: 'order-created',
  of: ['order.created'],
  batch: true,
  async handle(facts, tx, ctx: Pick<Context, 'config' | 'dispatcher'>) {
    const isDue = await rememberNewOrders(
      ctx,
      tx,
      facts.flatMap(({ message: { order }, time }) => (order ? [{ order, at: time }] : [])),
    )
    if (isDue) tx.afterCommit(ctx.dispatcher.wake)
  },
})
