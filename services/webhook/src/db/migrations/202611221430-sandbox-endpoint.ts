import { SqlMigration } from '@svc/database'

/** An endpoint of its own for the sandbox; what is null follows the live one. */
export class SandboxEndpoint extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE endpoint
  ALTER COLUMN updated_at DROP NOT NULL,
  ADD COLUMN test_enabled bool,
  ADD COLUMN test_previous_secret text,
  ADD COLUMN test_previous_secret_expires_at timestamptz,
  ADD COLUMN test_events text[],
  ADD COLUMN test_signature_version text CHECK (test_signature_version IN ('v1', 'v2')),
  ADD COLUMN test_updated_at timestamptz;
COMMENT ON COLUMN endpoint.updated_at IS 'Null while the sandbox endpoint alone was set.';
COMMENT ON COLUMN endpoint.test_enabled IS
  'Null until a test credential sets something: a test URL that was set beside the live one follows that one.';
COMMENT ON COLUMN endpoint.test_events IS 'Null follows the live endpoint.';`)
  }
}
