import { SqlMigration } from '@svc/database'

/** Which order a photo belongs to, once a rider has named it there. */
export class PhotoOrders extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE pod_photos ADD COLUMN order_id uuid')
  }
}
