import { foundationSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/transact'

const service = 'order'

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
  rider_name text,
  rider_phone text,
  rider_vehicle_type text,
  pickup_lat double precision, pickup_lng double precision,
  dropoff_lat double precision, dropoff_lng double precision,
  scheduled_pickup_at timestamptz NOT NULL,
  delivery_window_start timestamptz NOT NULL,
  delivery_window_end timestamptz NOT NULL,
  vehicle_type_hint text,
  vehicle_type_source text CHECK (vehicle_type_source IN ('caller', 'derived')),
  tracking_token text,
  eta jsonb,
  announced_eta jsonb,
  fee_minor bigint,
  currency text,
  quote_id uuid,
  rate_card_id uuid,
  rate_card_version int,
  cancelled_at timestamptz,
  terminal_at timestamptz,
  settling_id uuid,
  commission_state text,
  commission_attempt int,
  settlement_attempts int NOT NULL DEFAULT 0,
  request_fingerprint bytea NOT NULL,
  version int NOT NULL DEFAULT 1,
  assignment_version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL);
COMMENT ON COLUMN orders.unified_json IS 'json, not jsonb: the text is kept as it came.';
COMMENT ON COLUMN orders.rider_name IS 'The rider as known when the order was given to them.';
COMMENT ON COLUMN orders.announced_eta IS 'What merchants were told last.';
COMMENT ON COLUMN orders.fee_minor IS 'Priced once, when the order was created, by the rate card named beside it.';
COMMENT ON COLUMN orders.settling_id IS 'The open intent that settles the commission; until it ends nothing else changes the order.';
COMMENT ON COLUMN orders.commission_state IS 'held or paid, as the wallet said last; null where nothing was settled or it was given back.';
COMMENT ON COLUMN orders.commission_attempt IS 'The attempt that came to that.';
COMMENT ON COLUMN orders.settlement_attempts IS
  'Settlements begun so far; their intents are deleted, but the wallet keeps their keys for ever.';
COMMENT ON COLUMN orders.version IS 'Counts the facts of the order.';
COMMENT ON COLUMN orders.terminal_at IS 'Since when the status has been a terminal one.';

CREATE UNIQUE INDEX orders_natural_key ON orders (merchant_id, is_test, source, external_order_id);
CREATE UNIQUE INDEX orders_tracking_token ON orders (tracking_token);
CREATE INDEX orders_of_merchant ON orders (merchant_id, created_at DESC, id DESC);
CREATE INDEX orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX orders_of_rider ON orders (rider_id, created_at DESC, id DESC) WHERE rider_id IS NOT NULL;
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

const opsSql = `
CREATE TABLE order_ops (
  op_key text PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES orders ON DELETE CASCADE,
  merchant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('assignment', 'rider_status', 'proof', 'progress')),
  outcome jsonb NOT NULL,
  created_at timestamptz NOT NULL);
CREATE INDEX order_ops_of_order ON order_ops (order_id);
COMMENT ON TABLE order_ops IS 'What riders and dispatch did to orders, once per key, and how it ended.';
`

/** Orders, what was done to them under which key, and the timers of the simulator. */
export class Schema extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    this.addSql(ordersSql)
    this.addSql(simTimerSql)
    this.addSql(opsSql)
    this.addSql(tenantTableSql({ service, table: 'orders', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'sim_timer', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'order_ops', appGrants: 'SELECT, INSERT' }))
  }
}
