import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'order'

/** How much each merchant has stored in the sandbox today. */
export class SandboxUsage extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE sandbox_usage (
  merchant_id uuid PRIMARY KEY,
  -- Of which the bytes are; another day begins at 0.
  day date NOT NULL,
  bytes bigint NOT NULL);
${tenantTableSql({ service, table: 'sandbox_usage', appGrants: 'SELECT, INSERT, UPDATE' })}`)
  }
}
