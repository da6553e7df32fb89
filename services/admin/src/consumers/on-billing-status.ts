import { consumer } from '@svc/facts'
import type { OrmTx } from '@svc/transact'
import { applyBilling } from '../use-cases/merchants/apply-billing.ts'

/** Lets a merchant's billing follow its subscription at the payment provider. */
export const onBillingStatus = consumer({
  name: 'billing-status',
  of: ['billing.status_changed'],
  gatherMs: 500,
  async handle({ message, aggregateVersion }, tx: OrmTx) {
    await applyBilling(tx, message, aggregateVersion)
  },
})
