import { IndexMigration, SqlMigration, tenantTableSql } from '@svc/database'

/** What is to go wrong with the next deliveries of a sandbox, and what has. */
export class WebhookFaults extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE webhook_fault (
  merchant_id uuid NOT NULL,
  position int NOT NULL,
  kind text NOT NULL CHECK (kind IN ('drop', 'delay', 'duplicate', 'reorder')),
  events text[] NOT NULL,
  count int NOT NULL,
  remaining int NOT NULL,
  delay_ms int NOT NULL,
  PRIMARY KEY (merchant_id, position));
COMMENT ON TABLE webhook_fault IS 'Of the sandbox alone. The first that fits a delivery is the one that it meets.';
ALTER TABLE delivery ADD COLUMN fault text;
COMMENT ON COLUMN delivery.fault IS 'The fault of the sandbox that it met, at most one.';
ALTER TABLE queued_delivery ADD COLUMN kept_back bool;
COMMENT ON COLUMN queued_delivery.kept_back IS 'Waits for a later delivery to overtake it.';
${tenantTableSql({ service: 'webhook', table: 'webhook_fault' })}`)
  }
}

/** The few that wait to be overtaken. */
export class KeptBack extends IndexMigration {
  protected readonly indexes = [
    { name: 'queued_delivery_kept_back', on: 'queued_delivery (merchant_id) WHERE kept_back' },
  ]
}
