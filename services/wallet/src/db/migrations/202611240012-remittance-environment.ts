import { IndexMigration, SqlMigration } from '@svc/database'

/**
 * Of which environment a hand-over is: that of its account, whoever writes it. What the sandbox declared before is taken
 * for live here and found by neither list, since its account says otherwise.
 */
export class RemittanceEnvironment extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE cash_remittances ADD COLUMN is_test boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN cash_remittances.is_test IS 'That of its account.';
CREATE FUNCTION of_the_accounts_environment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT c.is_test INTO STRICT NEW.is_test FROM cash_accounts c WHERE c.id = NEW.account_id AND c.merchant_id = NEW.merchant_id;
  RETURN NEW;
END $$;
CREATE TRIGGER of_the_accounts_environment BEFORE INSERT ON cash_remittances
  FOR EACH ROW EXECUTE FUNCTION of_the_accounts_environment();`)
  }
}

/** Live hand-overs are listed without reading those of the sandbox, however many of these there are. */
export class RemittanceLists extends IndexMigration {
  protected override readonly indexes = [
    { name: 'cash_remittances_of_environment', on: 'cash_remittances (is_test, created_at DESC, id DESC)' },
    { name: 'cash_remittances_of_status', on: 'cash_remittances (is_test, status, created_at DESC, id DESC)' },
    {
      name: 'cash_remittances_of_tenant',
      on: 'cash_remittances (merchant_id, is_test, created_at DESC, id DESC)',
    },
  ]
  protected override readonly replaced = [
    'cash_remittances_newest',
    'cash_remittances_by_status',
    'cash_remittances_of_merchant',
  ]
}
