import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { rememberNewOrders } from '../use-cases/assignment/remember-order.ts'

/**
 * Takes over new orders, those of a moment in one statement: most facts are of this kind. Nothing is locked for it, and the
 * workers are woken only where a rider can be looked for.
 */
export const onOrderCreated = consumer({
  name: 'order-created',
  of: ['order.created'],
  batch: true,
  async handle(facts, tx, ctx: Pick<Context, 'dispatcher'>) {
    const isDue = await rememberNewOrders(
      tx,
      facts.flatMap(({ message: { order }, time }) => (order ? [{ order, at: time }] : [])),
    )
    if (isDue) tx.afterCommit(ctx.dispatcher.wake)
  },
})
