import { SqlMigration } from '@svc/database'

/** Test orders whose search a scenario of the sandbox plays. */
export class Rehearsals extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE dispatch_jobs ADD COLUMN rehearsal text')
    this.addSql(`COMMENT ON COLUMN dispatch_jobs.rehearsal IS
      'What a scenario has the search find: rider or nobody; null for every other order.'`)
  }
}
