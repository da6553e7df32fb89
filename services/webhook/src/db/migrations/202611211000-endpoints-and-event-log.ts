import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/outbox'

const service = 'webhook'

export class EndpointsAndEventLog extends SqlMigration {
  override up() {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    this.addSql(`
CREATE TABLE endpoint (
  merchant_id uuid PRIMARY KEY,
  url text,
  enabled bool NOT NULL,
  secret text,
  previous_secret text,
  previous_secret_expires_at timestamptz,
  test_url text,
  test_secret text,
  events text[] NOT NULL,
  signature_version text CHECK (signature_version IN ('v1', 'v2')),
  updated_at timestamptz NOT NULL,
  CHECK (NOT enabled OR (url IS NOT NULL AND secret IS NOT NULL)));
COMMENT ON COLUMN endpoint.secret IS 'Sealed: key id, then the data key and the secret under AES-256-GCM.';
COMMENT ON COLUMN endpoint.signature_version IS 'Null follows the operator''s default.';

CREATE TABLE order_stream (
  order_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  last_version int NOT NULL DEFAULT 0,
  last_sequence int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT app_now());
COMMENT ON TABLE order_stream IS 'Up to which version the facts of an order are in the log, and how many of them were events.';
CREATE INDEX order_stream_age ON order_stream USING brin (updated_at);

CREATE TABLE held_fact (
  order_id uuid NOT NULL,
  version int NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  traceparent text,
  payload bytea NOT NULL,
  held_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (order_id, version));
COMMENT ON TABLE held_fact IS 'Facts that arrived before an earlier version of their order.';

CREATE TABLE event_cursor (merchant_id uuid PRIMARY KEY, last_cursor bigint NOT NULL);
COMMENT ON TABLE event_cursor IS
  'Its row lock makes cursor order the order of commits, so that a reader never passes an event that commits later.';

CREATE TABLE event_log (
  merchant_id uuid NOT NULL,
  cursor bigint NOT NULL,
  is_test bool NOT NULL,
  order_id uuid NOT NULL,
  sequence int NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  envelope text NOT NULL,
  traceparent text,
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, cursor),
  UNIQUE (merchant_id, order_id, sequence));
COMMENT ON COLUMN event_log.envelope IS 'JSON text of the webhook body without delivery_id.';
CREATE INDEX event_log_period ON event_log (merchant_id, occurred_at);
CREATE INDEX event_log_age ON event_log USING brin (occurred_at);

CREATE TABLE merchant (
  merchant_id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  version int NOT NULL);
COMMENT ON TABLE merchant IS 'Read model of merchant.* facts: whom an alert is written to.';
`)
    this.addSql(tenantTableSql({ service, table: 'endpoint' }))
    this.addSql(tenantTableSql({ service, table: 'event_log', appGrants: 'SELECT' }))
    for (const table of ['order_stream', 'held_fact', 'event_cursor', 'merchant']) {
      this.addSql(recorderTableSql({ service, table }))
    }
  }
}
