import { SqlMigration } from '@svc/database'

/** Whether the rider of an order has taken it on by an act of its own. */
export class RiderActed extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE orders ADD COLUMN rider_acted boolean')
    this.addSql(`COMMENT ON COLUMN orders.rider_acted IS
      'Its rider has said yes, collected or delivered by an act of its own; null without a rider, and where the rider had it before this was kept.'`)
  }
}
