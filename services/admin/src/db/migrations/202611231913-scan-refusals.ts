import { SqlMigration } from '@svc/database'

/** How often the scanner has answered without a verdict: that it did not answer counts for nothing. */
export class ScanRefusals extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE kyb_documents ADD COLUMN scan_refusals int NOT NULL DEFAULT 0')
  }
}
