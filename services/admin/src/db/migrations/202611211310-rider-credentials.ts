import { recorderTableSql, SqlMigration } from '@svc/database'

const ridersSql = `
-- What the tokens of a rider stand on. Who a rider is, dispatch knows.
CREATE TABLE rider_credentials (
  rider_id uuid PRIMARY KEY,
  epoch int NOT NULL);

-- A rider's family may belong to no merchant; only workers see it then.
ALTER TABLE sessions
  ALTER merchant_id DROP NOT NULL,
  ADD is_test boolean,
  ADD access_ttl_seconds int,
  ADD CHECK (CASE WHEN credential LIKE 'rider:%' THEN is_test IS NOT NULL AND access_ttl_seconds > 0
                  ELSE merchant_id IS NOT NULL END);
`

/** Tokens of riders: of a merchant's fleet, of the sandbox, or of nobody. */
export class RiderCredentials extends SqlMigration {
  override up(): void {
    this.addSql(ridersSql)
    this.addSql(recorderTableSql({ service: 'admin', table: 'rider_credentials' }))
  }
}
