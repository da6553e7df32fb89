import { recorderTableSql, SqlMigration } from '@svc/database'

/** What becomes of the attachments of mail. */
export class AttachmentOcrJobs extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TYPE attachment_ocr_status AS ENUM ('pending', 'succeeded', 'failed', 'unavailable');

CREATE TABLE attachment_ocr_jobs (
  id uuid PRIMARY KEY,
  hook_id uuid NOT NULL REFERENCES inbound_hooks ON DELETE CASCADE,
  channel text NOT NULL,
  merchant_id uuid NOT NULL,
  email_id text NOT NULL,
  attachment_id text NOT NULL,
  file_name text,
  content_type text NOT NULL,
  storage_key text,
  size_bytes int,
  read_text text,
  status attachment_ocr_status NOT NULL,
  attempts int NOT NULL,
  error text,
  next_at timestamptz(3) NOT NULL,
  lease uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  resolved_at timestamptz(3),
  UNIQUE (hook_id, attachment_id),
  CHECK ((lease IS NULL) = (lease_until IS NULL)),
  CHECK ((lease IS NULL) OR status = 'pending'),
  CHECK ((size_bytes IS NULL) OR storage_key IS NOT NULL),
  CHECK ((resolved_at IS NOT NULL) = (status = 'succeeded')));
COMMENT ON TABLE attachment_ocr_jobs IS 'One per attachment of a mail that can be read: it is fetched, stored, and its text read.';
COMMENT ON COLUMN attachment_ocr_jobs.storage_key IS
  'Set before the object is written: what has none was never stored.';
COMMENT ON COLUMN attachment_ocr_jobs.size_bytes IS 'Set once the object is stored.';

CREATE INDEX attachment_ocr_jobs_turns ON attachment_ocr_jobs (merchant_id, next_at) WHERE status = 'pending';
CREATE INDEX attachment_ocr_jobs_due ON attachment_ocr_jobs (next_at) WHERE status = 'pending';
CREATE INDEX attachment_ocr_jobs_listed ON attachment_ocr_jobs (created_at DESC, id DESC);
CREATE INDEX attachment_ocr_jobs_of_merchant ON attachment_ocr_jobs (merchant_id, created_at DESC, id DESC);
`)
    this.addSql(recorderTableSql({ service: 'ingestion', table: 'attachment_ocr_jobs' }))
  }
}
