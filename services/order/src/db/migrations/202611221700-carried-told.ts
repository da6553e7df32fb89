import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'order'

/** How far the wallet was told who carries the orders that were under way before it reserved their commissions. */
export class CarriedTold extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE carried_told (
  only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
  after uuid,
  done_at timestamptz);
INSERT INTO carried_told DEFAULT VALUES;
${recorderTableSql({ service, table: 'carried_told', workerGrants: 'SELECT, UPDATE' })}`)
  }
}
