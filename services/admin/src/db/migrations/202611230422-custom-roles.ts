import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'admin'

/** Roles that operators make, each a choice of permissions, and which operator has one. */
export class CustomRoles extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE custom_roles (
  id uuid PRIMARY KEY,
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 64),
  permission_keys text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL);
CREATE UNIQUE INDEX custom_roles_label_taken ON custom_roles (lower(label));
`)
    this.addSql(recorderTableSql({ service, table: 'custom_roles' }))
    this.addSql(`
ALTER TABLE operators ADD COLUMN custom_role_id uuid, ADD COLUMN permission_keys text[];
COMMENT ON COLUMN operators.permission_keys IS 'Those of the custom role, which stand in the place of what the role permits; with it they change.';
ALTER TABLE operators ADD CONSTRAINT operators_custom_role FOREIGN KEY (custom_role_id) REFERENCES custom_roles NOT VALID;
ALTER TABLE operators ADD CONSTRAINT operators_custom_role_permits
  CHECK ((custom_role_id IS NULL) = (permission_keys IS NULL)) NOT VALID;
`)
    this.addSql(`
ALTER TABLE operators VALIDATE CONSTRAINT operators_custom_role;
ALTER TABLE operators VALIDATE CONSTRAINT operators_custom_role_permits;
`)
  }
}
