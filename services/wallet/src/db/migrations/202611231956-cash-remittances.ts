import { IndexMigration, SqlMigration, tenantTableSql } from '@svc/database'

const service = 'wallet'
const table = 'cash_remittances'

/** Cash on its way from riders to merchants. */
export class CashRemittances extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE cash_remittances (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES cash_accounts,
  merchant_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'declared' CHECK (status IN ('declared', 'confirmed', 'disputed', 'resolved')),
  declared_minor bigint NOT NULL CHECK (declared_minor > 0),
  received_minor bigint NOT NULL DEFAULT 0 CHECK (received_minor BETWEEN 0 AND declared_minor),
  declared_by text NOT NULL CHECK (declared_by IN ('rider', 'merchant')),
  note text,
  reason text,
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  decided_at timestamptz(3));
COMMENT ON TABLE cash_remittances IS 'Declared cash stays in the hands of its rider until somebody else than the rider says that it has arrived.';
CREATE INDEX cash_remittances_open ON cash_remittances (account_id) WHERE status IN ('declared', 'disputed');
CREATE INDEX cash_remittances_of_account ON cash_remittances (account_id, created_at DESC, id DESC);
CREATE INDEX cash_remittances_of_merchant ON cash_remittances (merchant_id, created_at DESC, id DESC);
CREATE INDEX cash_remittances_by_status ON cash_remittances (status, created_at DESC, id DESC);
${tenantTableSql({ service, table, appGrants: 'SELECT' })}
REVOKE UPDATE, DELETE ON ${table} FROM ${service}_worker;
GRANT UPDATE (status, received_minor, reason, decided_at) ON ${table} TO ${service}_worker;
CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON ${table} EXECUTE FUNCTION refuse_change();`)
  }
}

/** A merchant's cash statement is found without reading its other lines. */
export class CashEntriesIndex extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'ledger_lines_cash',
      on: `ledger_lines (merchant_id, is_test, created_at DESC, op_key DESC)
        WHERE entry_type IN ('cash_collected', 'cash_remitted', 'cash_adjusted') AND account_version IS NOT NULL`,
    },
  ]
}
