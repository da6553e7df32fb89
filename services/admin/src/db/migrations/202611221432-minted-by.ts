import { SqlMigration } from '@svc/database'

/** Which key asked for a rider's family, with which it ends; null where the rider logged in by a code. */
export class MintedBy extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE sessions ADD COLUMN minted_by text')
  }
}
