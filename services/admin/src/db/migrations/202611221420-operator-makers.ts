import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'admin'

/** Who made an operator, beyond the life of both; and what an operator's tokens stand on. */
export class OperatorMakers extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE operators ADD COLUMN epoch int NOT NULL DEFAULT 0')
    this.addSql(`
CREATE TABLE operator_makers (
  operator_id text NOT NULL,
  maker_id text NOT NULL,
  gave text NOT NULL CHECK (gave IN ('identity', 'role', 'password')),
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (operator_id, maker_id, gave));
COMMENT ON TABLE operator_makers IS 'Who gave an operator its identity, role or password. Rows outlive both: a deleted one still made what it made.';
COMMENT ON COLUMN operator_makers.maker_id IS 'An operator, "static" for the static token, or a command.';
`)
    this.addSql(recorderTableSql({ service, table: 'operator_makers', workerGrants: 'SELECT, INSERT' }))
    // Those of before are known by the audit log, of which the owner of the tables sees no row but for this. It is read and
    // closed again by migrations of their own: who makes a policy keeps everybody from the table until its transaction ends.
    this.addSql(`
CREATE POLICY made_before ON audit_log FOR SELECT TO CURRENT_USER USING (action = 'operator.create');
CREATE POLICY kept_from_before ON operator_makers FOR INSERT TO CURRENT_USER WITH CHECK (true);
`)
  }
}
