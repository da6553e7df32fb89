import { SqlMigration } from '@svc/database'

/** The owner of the tables sees nothing of the audit log any more. */
export class AuditLogClosed extends SqlMigration {
  override up(): void {
    this.addSql(`
DROP POLICY IF EXISTS kept_from_before ON operator_makers;
DROP POLICY IF EXISTS made_before ON audit_log;
`)
  }
}
