import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'order'

/** Where orders for a phone and address were handed over. */
export class AddressPins extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE address_pins (
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  key bytea NOT NULL,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  proofs int NOT NULL,
  proven_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, is_test, key));
COMMENT ON COLUMN address_pins.key IS 'A hash of merchant, environment, phone and address: neither can be read from it.';
COMMENT ON COLUMN address_pins.proofs IS 'Proofs of delivery that agree with the place, less those that did not.';
CREATE INDEX address_pins_age ON address_pins (proven_at) WHERE NOT is_test;
CREATE INDEX address_pins_test_age ON address_pins (proven_at) WHERE is_test;
${tenantTableSql({ service, table: 'address_pins', appGrants: 'SELECT' })}`)
  }
}
