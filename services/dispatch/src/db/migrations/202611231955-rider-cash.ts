import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'dispatch'
const table = 'rider_cash'

/** What riders have in hand of what customers paid them, as the cap counts it. */
export class RiderCash extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE dispatch_jobs ADD COLUMN cod_collected_minor bigint')
    this.addSql(`
CREATE TABLE rider_cash (
  rider_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  -- Empty where it is what orders told.
  currency text NOT NULL,
  told_minor bigint NOT NULL DEFAULT 0,
  booked_minor bigint NOT NULL DEFAULT 0,
  settled_minor bigint NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (rider_id, merchant_id, currency));
COMMENT ON TABLE rider_cash IS
  'Live cash that was ever collected, as orders tell it at once and the wallet books it later, and what of it was settled.';
${recorderTableSql({ service, table, workerGrants: 'SELECT, INSERT, UPDATE' })}`)
  }
}
