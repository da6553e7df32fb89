import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'wallet'
const table = 'cash_accounts'

/** Cash on delivery: what riders have in hand and owe to merchants. */
export class Cash extends SqlMigration {
  override up(): void {
    this.addSql(`ALTER TYPE owner_kind ADD VALUE 'cash'`)
    for (const entry of ['cash_collected', 'cash_remitted', 'cash_adjusted'])
      this.addSql(`ALTER TYPE entry_type ADD VALUE '${entry}'`)
    this.addSql(`
CREATE TABLE cash_accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  rider_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  currency text NOT NULL,
  is_test boolean NOT NULL,
  collected_minor bigint NOT NULL DEFAULT 0 CHECK (collected_minor >= 0),
  remitted_minor bigint NOT NULL DEFAULT 0 CHECK (remitted_minor >= 0),
  adjusted_minor bigint NOT NULL DEFAULT 0,
  in_hand_minor bigint GENERATED ALWAYS AS (collected_minor - remitted_minor + adjusted_minor) STORED,
  held_since timestamptz(3),
  version int NOT NULL DEFAULT 0,
  opened_at timestamptz(3) NOT NULL DEFAULT app_now(),
  CONSTRAINT cash_accounts_floor CHECK (collected_minor - remitted_minor + adjusted_minor BETWEEN 0 AND 9007199254740991),
  CONSTRAINT cash_accounts_held CHECK ((held_since IS NULL) = (collected_minor - remitted_minor + adjusted_minor = 0)),
  UNIQUE (rider_id, merchant_id, currency, is_test));
COMMENT ON TABLE cash_accounts IS
  'What a rider has in hand of a merchant''s cash. The account of the ledger with this id as its owner has the same sum.';
COMMENT ON COLUMN cash_accounts.held_since IS 'When the oldest of what is in hand was taken: what is handed over is the oldest first.';
CREATE INDEX cash_accounts_of_merchant ON cash_accounts (merchant_id, is_test, rider_id);
CREATE INDEX cash_accounts_held_longest ON cash_accounts (held_since) WHERE held_since IS NOT NULL;
${tenantTableSql({ service, table, appGrants: 'SELECT' })}
REVOKE UPDATE, DELETE ON ${table} FROM ${service}_worker;
GRANT UPDATE (collected_minor, remitted_minor, adjusted_minor, held_since, version) ON ${table} TO ${service}_worker;
CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON ${table} EXECUTE FUNCTION refuse_change();`)
  }
}
