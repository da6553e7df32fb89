import { IndexMigration, SqlMigration } from '@svc/database'

/**
 * When a delivery was stored: what was counted of a cycle is not counted again, and a fact may come as late as it will.
 * Those that are there were stored now, for all that it matters.
 */
export class DeliveriesStored extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE billed_deliveries ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now()')
    this.addSql('ALTER TABLE billed_deliveries ALTER COLUMN stored_at SET DEFAULT clock_timestamp()')
  }
}

/** The release before counts by its first column: all deliveries of a merchant, until it is gone. */
export class DeliveriesStoredIndex extends IndexMigration {
  protected readonly indexes = [
    { name: 'billed_deliveries_stored', on: 'billed_deliveries (merchant_id, stored_at) INCLUDE (delivered_at)' },
  ]
  protected override readonly replaced = ['billed_deliveries_of_merchant']
}
