import { SqlMigration } from '@svc/database'

/** When a grant was given again of late: each time is an entry in the audit log of another tenant. */
export class GrantsGivenAgain extends SqlMigration {
  override up(): void {
    this.addSql("ALTER TABLE workspace_grants ADD COLUMN given_again_at timestamptz(3)[] NOT NULL DEFAULT '{}'")
  }
}
