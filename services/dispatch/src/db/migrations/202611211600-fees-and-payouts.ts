import { SqlMigration } from '@svc/database'

const feesSql = `
ALTER TABLE dispatch_jobs
  -- What the delivery costs its merchant, by the price of its creation; null: it has none.
  ADD COLUMN fee_minor bigint,
  -- By what else, beside the vehicle, the commission is found: the amount that the order names, and where it came from.
  ADD COLUMN delivery_commission_minor bigint,
  ADD COLUMN source text NOT NULL DEFAULT '',
  -- What its rider would earn; null until it is known.
  ADD COLUMN payout_minor bigint,
  ADD COLUMN payout_currency text,
  ADD CHECK ((payout_minor IS NULL) = (payout_currency IS NULL));
-- Orders on offer of which that is not known yet.
CREATE INDEX dispatch_jobs_unplanned ON dispatch_jobs (order_id)
  WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted');
`

/** What orders cost their merchants, and what they bring their riders. */
export class FeesAndPayouts extends SqlMigration {
  override up(): void {
    this.addSql(feesSql)
  }
}
