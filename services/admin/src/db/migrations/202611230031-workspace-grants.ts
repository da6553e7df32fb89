import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'admin'

/** Which merchant may act for which other, and how far. */
export class WorkspaceGrants extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE workspace_grants (
  id uuid PRIMARY KEY,
  grantor_merchant_id uuid NOT NULL REFERENCES merchants,
  grantee_merchant_id uuid NOT NULL REFERENCES merchants,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  is_test boolean NOT NULL,
  epoch int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  CONSTRAINT workspace_grants_of_pair UNIQUE (grantor_merchant_id, grantee_merchant_id),
  CHECK (grantor_merchant_id <> grantee_merchant_id));
COMMENT ON TABLE workspace_grants IS 'One row per pair, given and revoked again and again. Two tenants see it: what is shown to which, each finder says.';
COMMENT ON COLUMN workspace_grants.is_test IS 'Given by a test credential: it reaches the sandbox alone.';
COMMENT ON COLUMN workspace_grants.epoch IS 'Raised whenever it is given or revoked: what was made of it before stays dead.';
CREATE INDEX workspace_grants_of_grantee ON workspace_grants (grantee_merchant_id);
`)
    this.addSql(recorderTableSql({ service, table: 'workspace_grants', workerGrants: 'SELECT, INSERT, UPDATE' }))
  }
}
