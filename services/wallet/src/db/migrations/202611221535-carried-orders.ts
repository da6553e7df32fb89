import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'wallet'

/** Up to which version the wallet knows who carries an order; a reservation moves with the order. */
export class CarriedOrders extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE carried_orders (
  order_id uuid PRIMARY KEY,
  version int NOT NULL);
COMMENT ON TABLE carried_orders IS 'The version of an order by which its commission was reserved or given back last: older news changes nothing.';
`)
    this.addSql(recorderTableSql({ service, table: 'carried_orders', workerGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(`GRANT UPDATE (beneficiary_id) ON holds TO ${service}_worker`)
  }
}
