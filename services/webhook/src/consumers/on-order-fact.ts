import { OrderFact } from '@svc/contracts/order/v1/order'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { ORDER_EVENTS } from '../domain/event-names.ts'
import { envelopeJson } from '../messages/envelope.ts'
import { appendEvents, type EventKind } from '../use-cases/append-events.ts'

/** Every fact that takes a version of an order must be named here: one that is not would hold back all that follow. */
const ORDER_FACTS = [...ORDER_EVENTS, 'order.cancelled']

const ORDER_KIND: EventKind<OrderFact> = {
  message: OrderFact,
  isOfOrder: true,
  isTest: ({ order }) => order?.is_test ?? false,
  isMuted: ({ muted }) => muted,
  envelope: envelopeJson,
}

/** Order facts become events in the pull log and deliveries. */
export const onOrderFact = consumer<OrderFact, Context>({
  topic: 'svc.order.v1',
  types: ORDER_FACTS,
  name: 'event-log',
  message: OrderFact,
  batch: true,
  handle: (facts, tx, ctx) => appendEvents(ctx, tx, ORDER_KIND, facts),
})
