import { SqlMigration, tenantTableSql } from '@svc/database'

/** What businesses submit to be verified. */
export class Kyb extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE kyb_submissions (
  merchant_id uuid PRIMARY KEY REFERENCES merchants,
  -- json and not jsonb: kept as it was sent.
  payload json NOT NULL,
  submitted_at timestamptz(3) NOT NULL);
COMMENT ON TABLE kyb_submissions IS 'The newest of each merchant.';

CREATE TABLE kyb_documents (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants,
  storage_key text NOT NULL UNIQUE,
  document_type text NOT NULL
    CHECK (document_type IN ('certificate_of_incorporation', 'proof_of_address', 'director_id', 'tax_clearance', 'other')),
  file_name text NOT NULL CHECK (char_length(file_name) BETWEEN 1 AND 255),
  content_type text NOT NULL
    CHECK (content_type IN ('application/pdf', 'image/jpeg', 'image/png', 'image/webp')),
  size_bytes int NOT NULL CHECK (size_bytes BETWEEN 1 AND 10485760),
  created_at timestamptz(3) NOT NULL,
  added_at timestamptz(3),
  scan_status text
    CHECK (scan_status IN ('pending', 'scanning', 'clean', 'infected', 'failed', 'unavailable')),
  scan_detail text,
  scanned_at timestamptz(3),
  left_out_at timestamptz(3),
  CHECK ((added_at IS NULL) = (scan_status IS NULL)));
COMMENT ON COLUMN kyb_documents.added_at IS 'Null: a place for an upload, which may never come.';
COMMENT ON COLUMN kyb_documents.left_out_at IS 'An infected one, since the merchant has submitted again: it counts for nothing any more.';
CREATE INDEX kyb_documents_newest ON kyb_documents (merchant_id, added_at DESC, id DESC);
CREATE INDEX kyb_documents_unused ON kyb_documents (created_at, storage_key) WHERE added_at IS NULL;
CREATE INDEX kyb_documents_unscanned ON kyb_documents (added_at) WHERE scan_status = 'unavailable';
`)
    this.addSql(tenantTableSql({ service: 'admin', table: 'kyb_submissions', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service: 'admin', table: 'kyb_documents', appGrants: 'SELECT, INSERT, UPDATE' }))
  }
}
