import { recorderTableSql, SqlMigration } from '@svc/database'

/** What was fetched of a mail, of which a notice came. */
export class InboundMails extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE inbound_mails (
  hook_id uuid PRIMARY KEY REFERENCES inbound_hooks ON DELETE CASCADE,
  attempt int NOT NULL,
  record jsonb,
  fetched_at timestamptz(3) NOT NULL);
COMMENT ON TABLE inbound_mails IS 'What the notice of a mail does not hold: subject, text, page and where the whole of it is.';
COMMENT ON COLUMN inbound_mails.attempt IS 'Which attempt of the hook it was fetched for: the next fetches it anew.';
COMMENT ON COLUMN inbound_mails.record IS 'Null: there is nobody to fetch it from, or the provider has it no more.';
`)
    this.addSql(recorderTableSql({ service: 'ingestion', table: 'inbound_mails' }))
  }
}
