import { IndexMigration, recorderTableSql, SqlMigration } from '@svc/database'

/** Advances of sandboxes that are carried out a few deliveries at a time. */
export class SandboxAdvances extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE sandbox_advance (
  merchant_id uuid NOT NULL,
  version int NOT NULL,
  seconds int NOT NULL,
  heard_at timestamptz(3) NOT NULL DEFAULT app_now(),
  met_to uuid,
  PRIMARY KEY (merchant_id, version));
COMMENT ON TABLE sandbox_advance IS 'What is being carried out; none stays.';
COMMENT ON COLUMN sandbox_advance.version IS 'Of the clock of the sandbox, which each advance raises by one.';
COMMENT ON COLUMN sandbox_advance.met_to IS 'The last delivery, by id, that it has met; null: it has not begun.';
${recorderTableSql({ service: 'webhook', table: 'sandbox_advance' })}`)
  }
}

/** The deliveries of a sandbox, by id: in this order an advance meets them. */
export class QueueOfSandbox extends IndexMigration {
  protected readonly indexes = [
    { name: 'queued_delivery_of_sandbox', on: 'queued_delivery (merchant_id, delivery_id) WHERE is_test' },
  ]
}
