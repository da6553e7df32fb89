import { WithdrawalFact } from '@svc/contracts/wallet/v1/payout'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { WITHDRAWAL_EVENTS } from '../domain/event-names.ts'
import { moneyEnvelopeJson, withdrawalView } from '../messages/money-envelope.ts'
import { appendEvents, type EventKind } from '../use-cases/append-events.ts'

const WITHDRAWAL_KIND: EventKind<WithdrawalFact> = {
  message: WithdrawalFact,
  isOfOrder: false,
  isTest: () => false,
  isMuted: () => false,
  envelope(facts) {
    const { withdrawal } = facts.message
    if (!withdrawal) throw new Error(`fact ${facts.eventId} carries no withdrawal`)
    return moneyEnvelopeJson(facts, { withdrawal: withdrawalView(withdrawal) })
  },
}

/** Facts of merchants' withdrawals become events for those that list them; what riders take out is theirs to know. */
export const onWithdrawalFact = consumer<WithdrawalFact, Context>({
  topic: 'svc.wallet.v1',
  types: WITHDRAWAL_EVENTS,
  name: 'withdrawal-events',
  message: WithdrawalFact,
  batch: true,
  async handle(facts, tx, ctx) {
    const ofMerchants = facts.filter(({ isTest, message }) => !isTest && message.withdrawal?.owner_type === 'merchant')
    if (ofMerchants.length > 0) await appendEvents(ctx, tx, WITHDRAWAL_KIND, ofMerchants)
  },
})
