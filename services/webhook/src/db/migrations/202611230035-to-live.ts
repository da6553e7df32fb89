import { SqlMigration } from '@svc/database'

/**
 * Where a delivery of the sandbox may go is decided when it is made: clearing a URL sends nothing elsewhere. Of what was made
 * before, and by replicas of before, nobody knows: false, which a retry by its merchant decides anew.
 */
export class ToLive extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE delivery ADD COLUMN to_live bool NOT NULL DEFAULT false;
COMMENT ON COLUMN delivery.to_live IS
  'May go to the live endpoint: of the sandbox what was made, or asked for again, while that had no URL.';`)
  }
}
