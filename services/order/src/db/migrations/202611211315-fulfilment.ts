import { SqlMigration, tenantTableSql } from '@svc/database'
import { createPricedOrderSql } from './create-priced-order-sql.ts'

const fulfilmentSql = `
ALTER TABLE orders
  ADD COLUMN rider_name text,
  ADD COLUMN rider_phone text,
  ADD COLUMN rider_vehicle_type text,
  ADD COLUMN eta jsonb,
  ADD COLUMN announced_eta jsonb,
  ADD COLUMN fee_minor bigint,
  ADD COLUMN currency text,
  ADD COLUMN quote_id uuid,
  ADD COLUMN rate_card_id uuid,
  ADD COLUMN rate_card_version int;
COMMENT ON COLUMN orders.rider_name IS 'The rider as known when the order was given to them.';
COMMENT ON COLUMN orders.announced_eta IS 'What merchants were told last.';
COMMENT ON COLUMN orders.fee_minor IS 'Priced once, when the order was created, by the rate card named beside it.';
CREATE INDEX orders_of_rider ON orders (rider_id, created_at DESC, id DESC) WHERE rider_id IS NOT NULL;

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

/** Riders at work: who has an order, what was done to it under which key, its estimate and its price. */
export class Fulfilment extends SqlMigration {
  override up(): void {
    this.addSql(fulfilmentSql)
    this.addSql(tenantTableSql({ service: 'order', table: 'order_ops', appGrants: 'SELECT, INSERT' }))
    this.addSql(createPricedOrderSql)
  }
}
