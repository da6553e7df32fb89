import { SqlMigration } from '@svc/database'

/** Of which submission it is certain that there was none before: what was found earlier can only be about that one. */
export class FirstSubmissions extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE kyb_submissions ADD COLUMN is_first boolean NOT NULL DEFAULT false')
  }
}
