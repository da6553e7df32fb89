import { SqlMigration } from '@svc/database'

/** A mail may be for somebody who is of no merchant, or of none that is known yet. */
export class PlatformIntents extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE intent ALTER COLUMN merchant_id DROP NOT NULL')
  }
}
