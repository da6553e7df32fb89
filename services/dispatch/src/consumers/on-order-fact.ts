import { factsAbout } from '@svc/contracts/facts'
import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { rememberOrder } from '../use-cases/assignment/remember-order.ts'

/** Keeps what dispatch must know of orders under way; the worker does what is due about them. */
export const onOrderFact = consumer({
  name: 'order',
  of: factsAbout('order').filter((name) => name !== 'order.created'),
  async handle({ message, time }, tx, ctx: Pick<Context, 'config' | 'dispatcher' | 'realtime'>) {
    if (message.order) await rememberOrder(ctx, tx, message.order, time)
    tx.afterCommit(ctx.dispatcher.wake)
  },
})
