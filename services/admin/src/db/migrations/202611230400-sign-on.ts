import { recorderTableSql, SqlMigration } from '@svc/database'

const service = 'admin'

/** Log-ins at identity providers: which were completed, and as whom a provider knows an account. */
export class SignOn extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE sign_on_attempts (
  id uuid PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT app_now());
COMMENT ON TABLE sign_on_attempts IS 'Log-ins that a browser came back with: each is good once. Those that nobody completes leave no row.';
CREATE INDEX sign_on_attempts_age ON sign_on_attempts (at);

CREATE TABLE sign_on_subjects (
  audience text NOT NULL CHECK (audience IN ('merchant', 'operator')),
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  operator_id uuid REFERENCES operators ON DELETE CASCADE,
  at timestamptz(3) NOT NULL DEFAULT app_now(),
  PRIMARY KEY (audience, issuer, subject),
  CONSTRAINT sign_on_subject_of_user UNIQUE (user_id, issuer),
  CONSTRAINT sign_on_subject_of_operator UNIQUE (operator_id, issuer),
  CHECK ((user_id IS NOT NULL) = (audience = 'merchant') AND (operator_id IS NOT NULL) = (audience = 'operator')));
COMMENT ON TABLE sign_on_subjects IS 'As whom a provider knows an account, since its first log-in there: whoever gets its address later is somebody else.';
`)
    this.addSql(recorderTableSql({ service, table: 'sign_on_attempts', workerGrants: 'SELECT, INSERT, DELETE' }))
    this.addSql(recorderTableSql({ service, table: 'sign_on_subjects', workerGrants: 'SELECT, INSERT, DELETE' }))
  }
}
