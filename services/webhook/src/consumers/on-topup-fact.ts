import { consumer } from '@svc/facts'
import { creditedTopup } from '@svc/public-bodies'
import type { Context } from '../context.ts'
import { moneyEnvelopeJson } from '../messages/money-envelope.ts'
import { appendEvents, type EventKind } from '../use-cases/append-events.ts'

const TOPUP_KIND: EventKind<'wallet.topup_credited'> = {
  isOfOrder: false,
  isTest: () => false,
  isMuted: () => false,
  envelope: (facts) => moneyEnvelopeJson(facts, { topup: creditedTopup.parse(facts.message) }),
}

/** Credited top-ups become events for merchants that list them. */
export const onTopupFact = consumer({
  name: 'topup-events',
  of: ['wallet.topup_credited'],
  batch: true,
  async handle(facts, tx, ctx: Context) {
    const live = facts.filter(({ isTest }) => !isTest)
    if (live.length > 0) await appendEvents(ctx, tx, TOPUP_KIND, live)
  },
})
