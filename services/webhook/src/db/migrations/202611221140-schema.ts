import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/transact'

const service = 'webhook'

const merchantsSql = `
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

CREATE TABLE merchant (
  merchant_id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  version int NOT NULL);
COMMENT ON TABLE merchant IS 'Read model of merchant.* facts: whom an alert is written to.';
`

const logSql = `
CREATE TABLE order_stream (
  order_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  last_version int NOT NULL DEFAULT 0,
  last_sequence int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT app_now());
COMMENT ON TABLE order_stream IS
  'Up to which version the facts of an order, withdrawal or top-up are in the log, and how many of them were events.';
COMMENT ON COLUMN order_stream.order_id IS 'The aggregate of the facts, be it an order or not.';
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
COMMENT ON TABLE held_fact IS 'Facts that arrived before an earlier version of their aggregate.';
COMMENT ON COLUMN held_fact.order_id IS 'The aggregate of the fact, be it an order or not.';

CREATE TABLE event_cursor (merchant_id uuid PRIMARY KEY, last_cursor bigint NOT NULL);
COMMENT ON TABLE event_cursor IS
  'Its row lock makes cursor order the order of commits, so that a reader never passes an event that commits later.';

CREATE TABLE event_log (
  merchant_id uuid NOT NULL,
  cursor bigint NOT NULL,
  is_test bool NOT NULL,
  order_id uuid,
  sequence int NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  envelope text NOT NULL,
  traceparent text,
  occurred_at timestamptz NOT NULL,
  subject_id uuid,
  PRIMARY KEY (merchant_id, cursor),
  UNIQUE (merchant_id, order_id, sequence),
  CHECK (num_nonnulls(order_id, subject_id) = 1));
COMMENT ON COLUMN event_log.envelope IS 'JSON text of the webhook body without delivery_id.';
COMMENT ON COLUMN event_log.subject_id IS 'What the event is about, where that is no order.';
CREATE UNIQUE INDEX event_log_subject ON event_log (merchant_id, subject_id, sequence) WHERE subject_id IS NOT NULL;
CREATE INDEX event_log_period ON event_log (merchant_id, occurred_at);
CREATE INDEX event_log_age ON event_log USING brin (occurred_at);
`

const deliveriesSql = `
CREATE TABLE delivery (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  event_id uuid NOT NULL,
  event text NOT NULL,
  order_id uuid,
  occurred_at timestamptz NOT NULL,
  body bytea NOT NULL,
  traceparent text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'dead')),
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  last_status_code int,
  last_error text,
  url text,
  created_at timestamptz NOT NULL,
  succeeded_at timestamptz,
  UNIQUE (merchant_id, event_id),
  CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'))) WITH (fillfactor = 80);
COMMENT ON TABLE delivery IS 'What an attempt changes is in no index, so that the change stays within the page.';
COMMENT ON COLUMN delivery.body IS 'Frozen when the row is made: every attempt sends these bytes.';
CREATE INDEX delivery_newest ON delivery (merchant_id, created_at DESC, id DESC);
CREATE INDEX delivery_of_order ON delivery (merchant_id, order_id);
CREATE INDEX delivery_age ON delivery USING brin (created_at);

CREATE TABLE queued_delivery (
  delivery_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  claimable_at timestamptz NOT NULL,
  lease uuid,
  lease_until timestamptz) WITH (autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON TABLE queued_delivery IS 'One narrow row per pending delivery. Locks are taken in the order delivery, queued_delivery, lane.';
COMMENT ON COLUMN queued_delivery.claimable_at IS 'next_attempt_at, or the end of the lease while an attempt runs.';
CREATE INDEX queued_delivery_next ON queued_delivery (merchant_id, is_test, claimable_at);
CREATE INDEX queued_delivery_in_flight ON queued_delivery (merchant_id, is_test) WHERE lease IS NOT NULL;

CREATE TABLE attempt (
  id uuid PRIMARY KEY,
  delivery_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  attempt int NOT NULL,
  at timestamptz NOT NULL,
  duration_ms int NOT NULL,
  status_code int,
  error text,
  response_snippet text);
COMMENT ON COLUMN attempt.id IS 'The X-Service-Delivery of the request.';
COMMENT ON COLUMN attempt.delivery_id IS 'No foreign key: a result is logged by the statement that updates its delivery.';
CREATE INDEX attempt_of_delivery ON attempt (delivery_id);

CREATE TABLE lane (
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  due_at timestamptz NOT NULL,
  consecutive_failures int NOT NULL DEFAULT 0,
  open_until timestamptz,
  PRIMARY KEY (merchant_id, is_test));
COMMENT ON TABLE lane IS 'The queue of one endpoint and environment. The transaction that makes a delivery claimable lowers due_at
too; only a claim, which holds the row, raises it: so no wake-up is lost.';
COMMENT ON COLUMN lane.open_until IS 'The breaker is open: no attempt before.';
CREATE INDEX lane_due ON lane (due_at);

CREATE TABLE alert (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  merchant_id uuid NOT NULL,
  is_test bool NOT NULL,
  kind text NOT NULL CHECK (kind IN ('first_dead', 'endpoint_failing')),
  url text,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  next_at timestamptz NOT NULL DEFAULT app_now(),
  tries int NOT NULL DEFAULT 0,
  sent_at timestamptz,
  UNIQUE (merchant_id, is_test, kind));
COMMENT ON COLUMN alert.id IS 'The idempotency key of its mail.';
CREATE INDEX alert_todo ON alert (next_at) WHERE sent_at IS NULL;
`

/** Endpoints, the pull log with the streams that lead to it, and deliveries. */
export class Schema extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    this.addSql(merchantsSql)
    this.addSql(logSql)
    this.addSql(deliveriesSql)
    this.addSql(tenantTableSql({ service, table: 'endpoint' }))
    this.addSql(tenantTableSql({ service, table: 'event_log', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'delivery', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'queued_delivery', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'attempt', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'lane', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'alert', appGrants: 'SELECT, DELETE' }))
    for (const table of ['order_stream', 'held_fact', 'event_cursor', 'merchant']) {
      this.addSql(recorderTableSql({ service, table }))
    }
  }
}
