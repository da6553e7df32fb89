import { SqlMigration } from '@svc/database'

/** A hand-over that its rider has taken back. */
export class WithdrawnRemittances extends SqlMigration {
  override up(): void {
    this.addSql(`ALTER TABLE cash_remittances
  DROP CONSTRAINT cash_remittances_status_check,
  ADD CONSTRAINT cash_remittances_status_check
    CHECK (status IN ('declared', 'confirmed', 'disputed', 'resolved', 'withdrawn')) NOT VALID`)
  }
}
