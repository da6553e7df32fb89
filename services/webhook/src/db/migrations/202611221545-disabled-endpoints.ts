import { SqlMigration } from '@svc/database'

/** Since when an endpoint fails, and why one was disabled. */
export class DisabledEndpoints extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE lane ADD COLUMN failing_since timestamptz;
COMMENT ON COLUMN lane.failing_since IS 'Of the first failure after the last success.';
ALTER TABLE endpoint ADD COLUMN disabled_reason text, ADD COLUMN test_disabled_reason text;
COMMENT ON COLUMN endpoint.disabled_reason IS 'Why it was disabled by us; null where its merchant did, or once it is enabled again.';
ALTER TABLE alert DROP CONSTRAINT alert_kind_check, ADD CONSTRAINT alert_kind_check
  CHECK (kind IN ('first_dead', 'endpoint_failing', 'endpoint_disabled')) NOT VALID;`)
  }
}
