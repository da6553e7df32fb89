import { SqlMigration, tenantTableSql } from '@svc/database'

/** By how much the clocks of sandboxes have been moved on. */
export class SandboxClock extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE sandbox_clock (
  merchant_id uuid PRIMARY KEY,
  version int NOT NULL,
  total_seconds bigint NOT NULL);
COMMENT ON COLUMN sandbox_clock.version IS 'How often it was moved: the version of its facts.';
${tenantTableSql({ service: 'order', table: 'sandbox_clock', appGrants: 'SELECT, INSERT, UPDATE' })}`)
  }
}
