import { SqlMigration } from '@svc/database'

/** Orders that replicas of an earlier release gave away behind the first walk are seen by a second one. */
export class CarriedToldTwice extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE carried_told ADD COLUMN first_ended_at timestamptz')
  }
}
