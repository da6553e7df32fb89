import { foundationSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/outbox'
import { createOrderSql } from './create-order-sql.ts'

const ordersSql = `
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  source text NOT NULL,
  external_order_id text NOT NULL,
  status text NOT NULL CHECK (length(status) BETWEEN 1 AND 128),
  payment_verified boolean NOT NULL DEFAULT false,
  unified_json json NOT NULL,
  rider_id uuid,
  pickup_lat double precision, pickup_lng double precision,
  dropoff_lat double precision, dropoff_lng double precision,
  scheduled_pickup_at timestamptz NOT NULL,
  delivery_window_start timestamptz NOT NULL,
  delivery_window_end timestamptz NOT NULL,
  vehicle_type_hint text,
  vehicle_type_source text CHECK (vehicle_type_source IN ('caller', 'derived')),
  tracking_token text,
  cancelled_at timestamptz,
  terminal_at timestamptz,
  request_fingerprint bytea NOT NULL,
  version int NOT NULL DEFAULT 1,
  assignment_version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL);
COMMENT ON COLUMN orders.unified_json IS 'json, not jsonb: the text is kept as it came.';
COMMENT ON COLUMN orders.version IS 'Counts the facts of the order.';
COMMENT ON COLUMN orders.terminal_at IS 'Since when the status has been a terminal one.';

CREATE UNIQUE INDEX orders_natural_key ON orders (merchant_id, is_test, source, external_order_id);
CREATE UNIQUE INDEX orders_tracking_token ON orders (tracking_token);
CREATE INDEX orders_of_merchant ON orders (merchant_id, created_at DESC, id DESC);
CREATE INDEX orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX orders_sandbox ON orders (created_at) WHERE is_test;
`

const simTimerSql = `
CREATE TABLE sim_timer (
  order_id uuid NOT NULL REFERENCES orders ON DELETE CASCADE,
  step smallint NOT NULL,
  merchant_id uuid NOT NULL,
  fires_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'skipped')),
  PRIMARY KEY (order_id, step));
CREATE INDEX sim_timer_due ON sim_timer (fires_at, step) WHERE state = 'pending';
CREATE INDEX sim_timer_open ON sim_timer (merchant_id) WHERE state = 'pending';
`

/** Orders, their simulator timers, and the machinery that every service database has. */
export class Orders extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql('order'))
    this.addSql(ordersSql)
    this.addSql(tenantTableSql({ service: 'order', table: 'orders', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(simTimerSql)
    this.addSql(tenantTableSql({ service: 'order', table: 'sim_timer', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(createOrderSql)
  }
}
