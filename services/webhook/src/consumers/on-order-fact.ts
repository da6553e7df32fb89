import { OrderFact } from '@svc/contracts/order/v1/order'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { EVENTS } from '../domain/event-names.ts'
import { appendEvents } from '../use-cases/append-events.ts'

/** Every fact that takes a version of an order must be named here: one that is not would hold back all that follow. */
const ORDER_FACTS = [...EVENTS, 'order.cancelled']

/** Order facts become events in the pull log and deliveries. */
export const onOrderFact = consumer<OrderFact, Context>({
  topic: 'svc.order.v1',
  types: ORDER_FACTS,
  name: 'event-log',
  message: OrderFact,
  batch: true,
  handle: (facts, tx, ctx) => appendEvents(ctx, tx, facts),
})
