import { SqlMigration } from '@svc/database'

/** What riders do and say themselves, apart from what merchants do and say about them. */
export class OwnActs extends SqlMigration {
  override up(): void {
    // Until a fact says otherwise an order binds its rider, as all did before.
    this.addSql('ALTER TABLE dispatch_jobs ADD COLUMN rider_acted boolean NOT NULL DEFAULT true')
    this.addSql('ALTER TABLE rider_active ADD COLUMN acted boolean NOT NULL DEFAULT true')
    this.addSql(`COMMENT ON COLUMN rider_active.acted IS
      'By an act of the rider; else the order takes capacity from its own merchant alone.'`)
    this.addSql('ALTER TABLE rider_positions ADD COLUMN by_rider boolean NOT NULL DEFAULT true')
    this.addSql(`COMMENT ON COLUMN rider_positions.by_rider IS 'Reported by the rider, not by its merchant.'`)
  }
}
