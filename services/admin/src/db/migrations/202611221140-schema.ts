import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/transact'

const service = 'admin'

const merchantsSql = `
CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  slug text NOT NULL CONSTRAINT merchants_slug_taken UNIQUE,
  email text NOT NULL,
  phone text,
  merchant_tier text NOT NULL CHECK (merchant_tier IN ('pay_as_you_go', 'hybrid', 'saas', 'enterprise')),
  billing_status text NOT NULL
    CHECK (billing_status IN ('active', 'trialing', 'past_due', 'canceled', 'compliance_hold')),
  billing_period_end timestamptz,
  kyb_status text NOT NULL CHECK (kyb_status IN ('not_submitted', 'pending_review', 'verified', 'rejected')),
  kyb_notes text,
  kyb_reference text,
  business_approval_status text NOT NULL
    CHECK (business_approval_status IN ('none', 'pending', 'approved', 'rejected')),
  auto_dispatch_enabled boolean NOT NULL,
  dispatch_mode text NOT NULL CHECK (dispatch_mode IN ('one_by_one', 'batch', 'broadcast')),
  dispatch_batch_size int NOT NULL CHECK (dispatch_batch_size BETWEEN 1 AND 50),
  fulfillment_mode text NOT NULL CHECK (fulfillment_mode IN ('freelancer', 'internal_fleet')),
  messaging_engine text NOT NULL CHECK (messaging_engine IN ('rules', 'ai', 'off')),
  currency text NOT NULL,
  timezone text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  version int NOT NULL DEFAULT 1,
  billing_included_allowance int CHECK (billing_included_allowance >= 0),
  billing_overage_fee_minor bigint CHECK (billing_overage_fee_minor BETWEEN 0 AND 9007199254740991),
  billing_version int NOT NULL DEFAULT 0);
COMMENT ON COLUMN merchants.billing_version IS 'Of the newest word of the wallet on its subscriptions: older ones change nothing.';
CREATE INDEX merchants_newest ON merchants (created_at DESC, id DESC);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants,
  -- Over all merchants: a login names nothing but the address.
  email text NOT NULL CONSTRAINT users_email_taken UNIQUE CHECK (email = lower(email)),
  email_verified_at timestamptz(3),
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role = 'owner'),
  epoch int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_login_at timestamptz(3));
CREATE INDEX users_of_merchant ON users (merchant_id, created_at);
`

const credentialsSql = `
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants,
  key_id text NOT NULL UNIQUE CHECK (key_id ~ '^[0-9A-Za-z]{12}$'),
  secret_hmac bytea NOT NULL CHECK (octet_length(secret_hmac) = 32),
  prefix text NOT NULL,
  last4 text NOT NULL,
  label text,
  scopes text[] NOT NULL,
  is_test boolean NOT NULL,
  enterprise_tier boolean NOT NULL DEFAULT false,
  epoch int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3));
CREATE INDEX api_keys_of_merchant ON api_keys (merchant_id, created_at DESC, id DESC);

-- A rider's family may belong to no merchant; only workers see it then.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  merchant_id uuid REFERENCES merchants,
  credential text NOT NULL,
  generation int NOT NULL,
  rotated_at timestamptz(3) NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  epoch int NOT NULL,
  created_at timestamptz(3) NOT NULL,
  is_test boolean,
  access_ttl_seconds int,
  CHECK (CASE WHEN credential LIKE 'rider:%' THEN is_test IS NOT NULL AND access_ttl_seconds > 0
              ELSE merchant_id IS NOT NULL END));
CREATE INDEX sessions_of_credential ON sessions (credential) WHERE revoked_at IS NULL;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- What the tokens of a rider stand on. Who a rider is, dispatch knows.
CREATE TABLE rider_credentials (
  rider_id uuid PRIMARY KEY,
  epoch int NOT NULL);

-- Failed logins of the last hour. The subject is a digest of the class of login and the address tried, known or not.
CREATE TABLE login_failures (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject bytea NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT app_now());
CREATE INDEX login_failures_of_subject ON login_failures (subject, at);
`

const operationsSql = `
CREATE TABLE operators (
  id uuid PRIMARY KEY,
  email text NOT NULL CONSTRAINT operators_email_taken UNIQUE CHECK (email = lower(email)),
  password_hash text NOT NULL,
  role text CHECK (role = 'administrator'),
  created_at timestamptz(3) NOT NULL,
  last_login_at timestamptz(3));

CREATE TABLE contact_inquiries (
  id uuid PRIMARY KEY,
  merchant_id uuid REFERENCES merchants,
  source text NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  phone text,
  review_status text NOT NULL CHECK (review_status IN ('open', 'reviewed', 'archived')),
  created_at timestamptz(3) NOT NULL);
CREATE INDEX contact_inquiries_newest ON contact_inquiries (created_at DESC, id DESC);
`

const auditSql = `
CREATE TABLE audit_log (
  seq bigint PRIMARY KEY,
  event_id uuid NOT NULL UNIQUE,
  at timestamptz(3) NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  on_behalf_of text,
  merchant_id text,
  action text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  ip text,
  request_id text,
  trace_id text,
  -- json and not jsonb: the text is part of the hash.
  before_json json,
  after_json json,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL);
CREATE INDEX audit_log_of_merchant ON audit_log (merchant_id, seq DESC);

CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_rows_stay BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_rows_stay;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_stays;
`

/** Merchants and their credentials, operators, and the audit log. */
export class Schema extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    this.addSql(merchantsSql)
    this.addSql(credentialsSql)
    this.addSql(operationsSql)
    this.addSql(auditSql)
    this.addSql(tenantTableSql({ service, table: 'merchants', column: 'id', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'users', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'api_keys', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'sessions', appGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(tenantTableSql({ service, table: 'contact_inquiries', appGrants: 'INSERT' }))
    this.addSql(recorderTableSql({ service, table: 'login_failures', workerGrants: 'SELECT, INSERT, DELETE' }))
    this.addSql(recorderTableSql({ service, table: 'rider_credentials' }))
    this.addSql(recorderTableSql({ service, table: 'operators' }))
    this.addSql(recorderTableSql({ service, table: 'audit_log', workerGrants: 'SELECT, INSERT' }))
  }
}
