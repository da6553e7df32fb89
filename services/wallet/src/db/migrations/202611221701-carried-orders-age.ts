import { IndexMigration, SqlMigration } from '@svc/database'

/** When the wallet heard last of an order: news of it that is older than that does not come for ever. */
export class CarriedOrdersAge extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE carried_orders ADD COLUMN told_at timestamptz NOT NULL DEFAULT now()')
    this.addSql('ALTER TABLE carried_orders ALTER COLUMN told_at SET DEFAULT app_now()')
    this.addSql('GRANT DELETE ON carried_orders TO wallet_worker')
  }
}

/** By which the oldest are found. */
export class CarriedOrdersExpiry extends IndexMigration {
  protected readonly indexes = [{ name: 'carried_orders_expiry', on: 'carried_orders (told_at)' }]
}
