import { IndexMigration, SqlMigration, tenantTableSql } from '@svc/database'

const service = 'order'

/** Orders that are drafted together and submitted together, and their rows while they are on the way in. */
export class Shipments extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE shipments (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  source text NOT NULL,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'submitted', 'dispatching', 'completed', 'cancelled')),
  total_orders int NOT NULL,
  estimated_fee_minor bigint NOT NULL,
  currency text,
  pickup_address text,
  pickup_lat double precision, pickup_lng double precision,
  rate_card_id uuid,
  rate_card_name text,
  hold_attempts int NOT NULL DEFAULT 0,
  hold_minor bigint,
  default_pickup_at timestamptz,
  turn_at timestamptz,
  begun_at timestamptz,
  created_at timestamptz NOT NULL,
  submitted_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz);
COMMENT ON COLUMN shipments.hold_attempts IS 'Holds that were asked of the wallet; each has a key of its own there.';
COMMENT ON COLUMN shipments.default_pickup_at IS 'When orders are collected that say nothing of it; known from the submit on.';
COMMENT ON COLUMN shipments.turn_at IS 'When some of its orders were begun last: shipments take turns.';
COMMENT ON COLUMN shipments.begun_at IS 'Since when all of its orders have been begun.';
CREATE INDEX shipments_of_merchant ON shipments (merchant_id, created_at, id) INCLUDE (is_test, status);
CREATE INDEX shipments_to_begin ON shipments (turn_at) WHERE submitted_at IS NOT NULL AND begun_at IS NULL;
CREATE INDEX shipments_sandbox ON shipments (created_at) WHERE is_test;
${tenantTableSql({ service, table: 'shipments', appGrants: 'SELECT, INSERT, UPDATE' })}

CREATE TABLE shipment_rows (
  merchant_id uuid NOT NULL,
  upload_id uuid NOT NULL,
  part int NOT NULL,
  rows bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT app_now(),
  PRIMARY KEY (merchant_id, upload_id, part));
COMMENT ON TABLE shipment_rows IS 'Rows of shipments that are about to be created; gone with the creation, or within hours.';
CREATE INDEX shipment_rows_age ON shipment_rows (created_at);
${tenantTableSql({ service, table: 'shipment_rows' })}`)
    this.addSql('ALTER TABLE orders ADD COLUMN shipment_id uuid, ADD COLUMN shipment_row int')
    this.addSql(`COMMENT ON COLUMN orders.shipment_row IS 'Counted from 1, as in what was sent.'`)
  }
}

/** The orders of a shipment, by status, and those of it that have not ended. */
export class ShipmentIndexes extends IndexMigration {
  protected readonly indexes = [
    { name: 'orders_of_shipment', on: 'orders (shipment_id, status, shipment_row) WHERE shipment_id IS NOT NULL' },
    {
      name: 'orders_of_shipment_open',
      on: 'orders (shipment_id) WHERE shipment_id IS NOT NULL AND terminal_at IS NULL',
    },
  ]
}
