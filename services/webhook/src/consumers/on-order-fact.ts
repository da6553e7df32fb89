import { factsAbout } from '@svc/contracts/facts'
import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { envelopeJson } from '../messages/envelope.ts'
import { appendEvents, type EventKind } from '../use-cases/append-events.ts'

/** Every fact that takes a version of an order: one that was left out would hold back all that follow. */
const ORDER_FACTS = factsAbout('order')

const ORDER_KIND: EventKind<(typeof ORDER_FACTS)[number]> = {
  isOfOrder: true,
  isTest: ({ order }) => order?.is_test ?? false,
  isMuted: ({ muted }) => muted,
  envelope: envelopeJson,
}

/** Order facts become events in the pull log and deliveries. */
export const onOrderFact = consumer({
  name: 'event-log',
  of: ORDER_FACTS,
  batch: true,
  handle: (facts, tx, ctx: Context) => appendEvents(ctx, tx, ORDER_KIND, facts),
})
