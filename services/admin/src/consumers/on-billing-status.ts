import { BillingFact } from '@svc/contracts/wallet/v1/billing_service'
import { consumer } from '@svc/outbox'
import type { Context } from '../context.ts'
import { applyBilling } from '../use-cases/merchants/apply-billing.ts'

/** Lets a merchant's billing follow its subscription at the payment provider. */
export const onBillingStatus = consumer<BillingFact, Context>({
  topic: 'svc.wallet.v1',
  types: ['billing.status_changed'],
  message: BillingFact,
  async handle({ message, aggregateVersion }, tx) {
    await applyBilling(tx, message, aggregateVersion)
  },
})
