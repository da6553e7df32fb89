import { recorderTableSql, SqlMigration } from '@svc/database'

/** When the clocks of sandboxes were moved on, and by how much those of their orders were. */
export class SandboxAdvances extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE sandbox_advances (
  merchant_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  seconds int NOT NULL);
CREATE INDEX sandbox_advances_of_merchant ON sandbox_advances (merchant_id, at);
CREATE INDEX sandbox_advances_age ON sandbox_advances (at);
${recorderTableSql({ service: 'dispatch', table: 'sandbox_advances' })}
ALTER TABLE dispatch_jobs ADD COLUMN advanced_seconds bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN dispatch_jobs.advanced_seconds IS 'By how much the clock of its sandbox was moved on since it was made.';`)
  }
}
