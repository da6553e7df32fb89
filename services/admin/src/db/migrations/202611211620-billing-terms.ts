import { SqlMigration } from '@svc/database'

const billingTermsSql = `
ALTER TABLE merchants
  ADD billing_included_allowance int CHECK (billing_included_allowance >= 0),
  ADD billing_overage_fee_minor bigint CHECK (billing_overage_fee_minor BETWEEN 0 AND 9007199254740991);
`

/** What a hybrid tier comprises, and what deliveries beyond it cost. */
export class BillingTerms extends SqlMigration {
  override up(): void {
    this.addSql(billingTermsSql)
  }
}
