import { SqlMigration } from '@svc/database'

/** When a hook that waits came in: what says no time of its own is as old as that. Null: it waits since before this. */
export class HookTimes extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE waiting_hooks ADD COLUMN received_at timestamptz(3)')
  }
}
