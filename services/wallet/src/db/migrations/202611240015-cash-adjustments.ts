import { IndexMigration, recorderTableSql, SqlMigration } from '@svc/database'

const service = 'wallet'
const table = 'cash_adjustments'

/** What operators change of cash in riders' hands, and what one of two has said of a difference. */
export class CashAdjustments extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE cash_adjustments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES cash_accounts,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'applied', 'rejected')),
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  reason text NOT NULL,
  proposed_by text NOT NULL,
  decided_by text,
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  decided_at timestamptz(3));
COMMENT ON TABLE cash_adjustments IS 'Of live cash alone; above the four-eyes limit one waits for a second operator.';
CREATE INDEX cash_adjustments_newest ON cash_adjustments (created_at DESC, id DESC);
CREATE INDEX cash_adjustments_of_status ON cash_adjustments (status, created_at DESC, id DESC);
CREATE INDEX cash_adjustments_of_account ON cash_adjustments (account_id, decided_at);
${recorderTableSql({ service, table, workerGrants: 'SELECT, INSERT, UPDATE (status, decided_by, decided_at)' })}
CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON ${table} EXECUTE FUNCTION refuse_change();`)
    this.addSql(`
ALTER TABLE cash_remittances ADD COLUMN proposed_minor bigint, ADD COLUMN proposed_by text, ADD COLUMN proposed_at timestamptz(3);
COMMENT ON COLUMN cash_remittances.proposed_minor IS 'What the first of two operators says that the merchant has.';
GRANT UPDATE (proposed_minor, proposed_by, proposed_at) ON cash_remittances TO ${service}_worker;`)
  }
}

/** The hand-overs about which somebody has yet to say a last word, oldest first. */
export class CashDifferences extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'cash_remittances_that_differ',
      on: `cash_remittances (is_test, created_at, id)
        WHERE status = 'disputed' OR (status = 'confirmed' AND received_minor < declared_minor)`,
    },
  ]
}
