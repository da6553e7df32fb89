import { SqlMigration, tenantTableSql } from '@svc/database'

const service = 'ingestion'

/** Phone numbers of merchants at the messaging app's cloud, and signups that wait for the choice of one. */
export class Cloud extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE cloud_connections (
  merchant_id uuid PRIMARY KEY,
  waba_id text NOT NULL,
  phone_number_id text NOT NULL UNIQUE,
  display_phone_number text,
  verified_name text,
  access_token text NOT NULL,
  pin text NOT NULL,
  connected_at timestamptz(3) NOT NULL);
COMMENT ON TABLE cloud_connections IS 'The phone number by which a merchant talks to its customers; a number is one merchant''s.';
COMMENT ON COLUMN cloud_connections.access_token IS 'Sealed, as is the PIN with which the number was registered.';

CREATE TABLE cloud_signups (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL UNIQUE,
  access_token text NOT NULL,
  pin text NOT NULL,
  expires_at timestamptz(3) NOT NULL);
COMMENT ON TABLE cloud_signups IS 'Signups whose code was exchanged, which is possible once, and whose phone number is still to be chosen; the newest of each merchant.';
CREATE INDEX cloud_signups_expiry ON cloud_signups (expires_at);
`)
    this.addSql(tenantTableSql({ service, table: 'cloud_connections', appGrants: 'SELECT' }))
    this.addSql(tenantTableSql({ service, table: 'cloud_signups' }))
  }
}
