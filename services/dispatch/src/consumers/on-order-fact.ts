import { OrderFact } from '@svc/contracts/order/v1/order'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { rememberOrder } from '../use-cases/assignment/remember-order.ts'

/** Keeps what dispatch must know of orders under way; the worker does what is due about them. */
export const onOrderFact = consumer<OrderFact, Pick<Context, 'config' | 'announce'>>({
  topic: 'svc.order.v1',
  types: [
    'order.status_updated',
    'order.rider_assigned',
    'order.accepted',
    'order.picked_up',
    'order.delivered',
    'order.cancelled',
    'order.rider_arrived_pickup',
    'order.rider_arrived_dropoff',
    'order.eta_changed',
    'dispatch.delayed',
    'dispatch.exhausted',
  ],
  name: 'order',
  message: OrderFact,
  async handle({ message, time }, tx, ctx) {
    if (message.order) await rememberOrder(ctx, tx, message.order, time)
  },
})
