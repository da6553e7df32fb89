import { recorderTableSql, SqlMigration } from '@svc/database'

/** From where a rider has logged in of late, so that what strangers ask and try in its name leaves it room there. */
export class LoginPlaces extends SqlMigration {
  override up(): void {
    this.addSql(`
      CREATE TABLE login_networks (
        rider_id uuid NOT NULL,
        -- A keyed digest of rider and network: the table tells nobody from where somebody works.
        network bytea NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (rider_id, network));
      CREATE INDEX login_networks_by_age ON login_networks (at);
      CREATE TABLE login_codes (
        -- What has one log-in code at a time: a phone for strangers, and for each known network of its rider.
        subject_id text PRIMARY KEY,
        -- When the codes of the last hour were asked for.
        sent timestamptz(3)[] NOT NULL,
        last_at timestamptz(3) NOT NULL);
      CREATE INDEX login_codes_by_age ON login_codes (last_at);
      -- Wrong codes typed in at a known network; attempts has those of everywhere else.
      ALTER TABLE otps ADD COLUMN attempts_known int NOT NULL DEFAULT 0;`)
    for (const table of ['login_networks', 'login_codes']) this.addSql(recorderTableSql({ service: 'dispatch', table }))
  }
}
