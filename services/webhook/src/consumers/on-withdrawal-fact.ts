import { factsAbout } from '@svc/contracts/facts'
import { consumer } from '@svc/facts'
import { required, withdrawal } from '@svc/public-bodies'
import type { Context } from '../context.ts'
import { moneyEnvelopeJson } from '../messages/money-envelope.ts'
import { appendEvents, type EventKind } from '../use-cases/append-events.ts'

const WITHDRAWAL_FACTS = factsAbout('withdrawal')

const WITHDRAWAL_KIND: EventKind<(typeof WITHDRAWAL_FACTS)[number]> = {
  isOfOrder: false,
  isTest: () => false,
  isMuted: () => false,
  envelope(facts) {
    return moneyEnvelopeJson(facts, { withdrawal: withdrawal.parse(required(facts.message.withdrawal)) })
  },
}

/** Facts of merchants' withdrawals become events for those that list them; merchants learn nothing of what riders take out. */
export const onWithdrawalFact = consumer({
  name: 'withdrawal-events',
  of: WITHDRAWAL_FACTS,
  batch: true,
  async handle(facts, tx, ctx: Context) {
    const ofMerchants = facts.filter(({ isTest, message }) => !isTest && message.withdrawal?.owner_type === 'merchant')
    if (ofMerchants.length > 0) await appendEvents(ctx, tx, WITHDRAWAL_KIND, ofMerchants)
  },
})
