import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'admin'

/** From where an account has logged in of late, so that failures of strangers do not lock it out there. */
export class LoginNetworks extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE login_networks (
  subject bytea NOT NULL,
  network bytea NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (subject, network));
COMMENT ON TABLE login_networks IS 'Networks from which an account has logged in. A row is forgotten 30 days after the last time.';
COMMENT ON COLUMN login_networks.subject IS 'The digest under which the failures of the account are counted.';
COMMENT ON COLUMN login_networks.network IS 'A keyed digest of account and network: the table tells nobody from where somebody works.';
CREATE INDEX login_networks_age ON login_networks (at);
`)
    this.addSql(recorderTableSql({ service, table: 'login_networks' }))
  }
}
