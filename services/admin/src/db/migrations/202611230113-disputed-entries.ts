import { SqlMigration } from '@svc/database'

/** Which entry of its ledger a merchant contests. */
export class DisputedEntries extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE contact_inquiries ADD COLUMN ledger_transaction_id uuid;
COMMENT ON COLUMN contact_inquiries.ledger_transaction_id IS 'Of a commission_dispute, as its merchant named it: the ledger is another service''s.';
GRANT SELECT ON contact_inquiries TO admin_app;
`)
  }
}
