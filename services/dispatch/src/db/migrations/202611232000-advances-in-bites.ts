import { SqlMigration } from '@svc/database'

/** Advances of sandboxes are carried out a few orders at a time; those that are here already were. */
export class AdvancesInBites extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE sandbox_advances ADD COLUMN version int NOT NULL DEFAULT 0,
  ADD COLUMN is_carried_out boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN sandbox_advances.version IS 'Of the clock of the sandbox, which each advance raises by one.';
ALTER TABLE dispatch_jobs ADD COLUMN advanced_version int NOT NULL DEFAULT 0;
COMMENT ON COLUMN dispatch_jobs.advanced_version IS 'The latest advance of its sandbox that it has met.';`)
  }
}
