import { TopupFact } from '@svc/contracts/wallet/v1/topup_service'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { TOPUP_EVENTS } from '../domain/event-names.ts'
import { moneyEnvelopeJson, topupView } from '../messages/money-envelope.ts'
import { appendEvents, type EventKind } from '../use-cases/append-events.ts'

const TOPUP_KIND: EventKind<TopupFact> = {
  message: TopupFact,
  isOfOrder: false,
  isTest: () => false,
  isMuted: () => false,
  envelope: (facts) => moneyEnvelopeJson(facts, { topup: topupView(facts.message) }),
}

/** Credited top-ups become events for merchants that list them. */
export const onTopupFact = consumer<TopupFact, Context>({
  topic: 'svc.wallet.v1',
  types: TOPUP_EVENTS,
  name: 'topup-events',
  message: TopupFact,
  batch: true,
  async handle(facts, tx, ctx) {
    const live = facts.filter(({ isTest }) => !isTest)
    if (live.length > 0) await appendEvents(ctx, tx, TOPUP_KIND, live)
  },
})
