import { IndexMigration, SqlMigration } from '@svc/database'

/** What attachments count against the bytes that a merchant may have kept in a day. */
export class AttachmentCounts extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE attachment_ocr_jobs ADD COLUMN counted_at timestamptz(3), ADD COLUMN counted_bytes int;
COMMENT ON COLUMN attachment_ocr_jobs.counted_at IS 'When it was last let in, before it was fetched.';
COMMENT ON COLUMN attachment_ocr_jobs.counted_bytes IS
  'As many as one may have until it is stored, then its own. They stay when the object goes.';
`)
  }
}

export class AttachmentBudgets extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'attachment_ocr_jobs_counted',
      on: 'attachment_ocr_jobs (merchant_id, counted_at) INCLUDE (counted_bytes) WHERE counted_at IS NOT NULL',
    },
  ] as const
}
