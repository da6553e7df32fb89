import { SqlMigration } from '@svc/database'

/** When a delivery was asked for again: from then on it has as long as a new one. */
export class RequeuedAt extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE delivery ADD COLUMN requeued_at timestamptz')
  }
}
