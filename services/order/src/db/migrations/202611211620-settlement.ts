import { SqlMigration } from '@svc/database'

const settlementSql = `
ALTER TABLE orders
  ADD COLUMN settling_id uuid,
  ADD COLUMN commission_state text,
  ADD COLUMN commission_attempt int;
COMMENT ON COLUMN orders.settling_id IS 'The open intent that settles the commission; until it ends nothing else changes the order.';
COMMENT ON COLUMN orders.commission_state IS 'held or paid, as the wallet said last; null where nothing was settled or it was given back.';
COMMENT ON COLUMN orders.commission_attempt IS 'The attempt that came to that.';
`

/** Commissions: which intent an order waits for, and what became of the last one. */
export class Settlement extends SqlMigration {
  override up(): void {
    this.addSql(settlementSql)
  }
}
