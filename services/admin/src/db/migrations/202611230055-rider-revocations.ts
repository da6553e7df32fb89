import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'admin'

/** When a revocation first took effect: repeated, it ends nothing that came after. */
export class RiderRevocations extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE rider_revocations (
  id uuid PRIMARY KEY,
  rider_id uuid NOT NULL,
  at timestamptz(3) NOT NULL);
COMMENT ON COLUMN rider_revocations.id IS 'As dispatch names it, each time that it asks.';
COMMENT ON COLUMN rider_revocations.at IS 'Since when the rider was held: what began later goes on.';
CREATE INDEX rider_revocations_age ON rider_revocations (at);
`)
    this.addSql(recorderTableSql({ service, table: 'rider_revocations' }))
  }
}
