import { IndexMigration, SqlMigration } from '@svc/database'

/** When a delivery ended by its age: from then on it is kept for as long as others from their beginning. */
export class ExpiredAt extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE delivery ADD COLUMN expired_at timestamptz')
  }
}

/** Each finds what goes, past all that stays. What an attempt changes is in none of them. */
export class ExpiredAtIndexes extends IndexMigration {
  protected readonly indexes = [
    { name: 'delivery_ended', on: `delivery (created_at) WHERE status <> 'pending' AND expired_at IS NULL` },
    { name: 'delivery_expired', on: 'delivery (expired_at) WHERE expired_at IS NOT NULL' },
  ]
}

/** The index that one of them replaces. */
export class DropDeliveryExpiry extends SqlMigration {
  override up(): void {
    this.addSql('DROP INDEX delivery_expiry')
  }
}
