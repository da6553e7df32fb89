import { SqlMigration } from '@svc/database'

const billingVersionSql = `
ALTER TABLE merchants ADD billing_version int NOT NULL DEFAULT 0;
COMMENT ON COLUMN merchants.billing_version IS 'Of the newest word of the wallet on its subscriptions: older ones change nothing.';
`

/** Which news of a merchant's subscriptions was taken over last. */
export class BillingVersion extends SqlMigration {
  override up(): void {
    this.addSql(billingVersionSql)
  }
}
