import { SqlMigration } from '@svc/database'

const paidPeriodsSql = `
ALTER TABLE subscription_intents
  ADD period interval NOT NULL DEFAULT interval '1 month',
  ADD paid_at timestamptz(3);
COMMENT ON COLUMN subscription_intents.period IS 'How long a payment of the plan lasts.';
COMMENT ON COLUMN subscription_intents.paid_at IS 'When we learned of the payment.';
COMMENT ON COLUMN subscription_intents.verify_at IS
  'When to look at it next; null: no more. Open: the provider is asked; paid: whether a subscription has come of it.';
`

/** For how long a payment counts of which no subscription comes. */
export class PaidPeriods extends SqlMigration {
  override up(): void {
    this.addSql(paidPeriodsSql)
  }
}
