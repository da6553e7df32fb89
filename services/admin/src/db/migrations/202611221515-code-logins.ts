import { SqlMigration } from '@svc/database'

/** When a rider first logged in by a code, and speaks for itself from then on. Those of before count as such. */
export class CodeLogins extends SqlMigration {
  override up(): void {
    this.addSql(`
      ALTER TABLE rider_credentials ADD COLUMN logged_in_at timestamptz(3) DEFAULT now();
      ALTER TABLE rider_credentials ALTER COLUMN logged_in_at DROP DEFAULT;`)
  }
}
