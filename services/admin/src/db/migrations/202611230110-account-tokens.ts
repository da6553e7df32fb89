import { SqlMigration, tenantTableSql } from '@svc/database'

/** What the tokens stand on that people get by mail. */
export class AccountTokens extends SqlMigration {
  override up(): void {
    this.addSql(`
CREATE TABLE account_tokens (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants,
  user_id uuid NOT NULL REFERENCES users,
  purpose text NOT NULL CHECK (purpose IN ('email_verification', 'password_reset')),
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3));
COMMENT ON TABLE account_tokens IS 'One row per token. The token itself is in none: it is computed from the id under PASSWORD_PEPPER.';
COMMENT ON COLUMN account_tokens.ended_at IS 'When it was used, or another took its place.';
CREATE INDEX account_tokens_open ON account_tokens (user_id, purpose) WHERE ended_at IS NULL;
CREATE INDEX account_tokens_age ON account_tokens (expires_at);
`)
    this.addSql(tenantTableSql({ service: 'admin', table: 'account_tokens', appGrants: 'SELECT, UPDATE' }))
  }
}
