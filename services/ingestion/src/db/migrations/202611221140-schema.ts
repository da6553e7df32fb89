import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/transact'

const service = 'ingestion'

const hooksSql = `
CREATE TYPE hook_state AS ENUM ('received', 'applied', 'ignored', 'dead', 'retrying');

CREATE TABLE inbound_hooks (
  id uuid PRIMARY KEY,
  channel text NOT NULL,
  signer text NOT NULL,
  dedupe_key text NOT NULL,
  path_merchant_id uuid,
  merchant_id uuid,
  headers jsonb NOT NULL,
  body bytea NOT NULL,
  event text NOT NULL,
  state hook_state NOT NULL,
  reason text,
  attempts int NOT NULL,
  received_at timestamptz(3) NOT NULL,
  handed_on_at timestamptz(3),
  dead_at timestamptz(3),
  resolved_at timestamptz(3),
  next_path_merchant_id uuid,
  next_headers jsonb,
  next_body bytea,
  UNIQUE (channel, signer, dedupe_key),
  CHECK (signer = 'platform' OR signer = path_merchant_id::text),
  CHECK ((state IN ('received', 'retrying')) <= (handed_on_at IS NOT NULL)),
  CHECK ((state IN ('dead', 'retrying')) <= (dead_at IS NOT NULL)),
  CHECK ((resolved_at IS NOT NULL) = (dead_at IS NOT NULL AND state IN ('applied', 'ignored'))),
  CHECK ((next_headers IS NULL) = (next_body IS NULL)));
COMMENT ON TABLE inbound_hooks IS 'What third parties sent and signed, as they sent it.';
COMMENT ON COLUMN inbound_hooks.signer IS
  'platform, or the merchant whose own secret made the signature: that merchant can sign whatever it likes, so its hooks must never stand in the way of those that the platform''s secret signed.';
COMMENT ON COLUMN inbound_hooks.path_merchant_id IS 'Whom the address named. It is not signed.';
COMMENT ON COLUMN inbound_hooks.merchant_id IS 'Whom it is about, as far as that is known: for lists, never for decisions.';
COMMENT ON COLUMN inbound_hooks.event IS 'The provider''s name of it; empty where it cannot be read.';
COMMENT ON COLUMN inbound_hooks.attempts IS
  'How often it was tried to hand it on: the version of its latest fact. 0: no service wants it.';
COMMENT ON COLUMN inbound_hooks.dead_at IS 'When it first became a dead letter.';
COMMENT ON COLUMN inbound_hooks.next_body IS
  'The newest delivery that differed from this one while it was without a verdict: handed on if this one is refused.';

CREATE INDEX inbound_hooks_unjudged ON inbound_hooks (handed_on_at) WHERE state IN ('received', 'retrying');
CREATE INDEX inbound_hooks_finished ON inbound_hooks (received_at) WHERE state IN ('applied', 'ignored');
CREATE INDEX dead_letters ON inbound_hooks (dead_at DESC, id DESC) WHERE dead_at IS NOT NULL;
CREATE INDEX dead_letters_open ON inbound_hooks (dead_at DESC, id DESC) WHERE state IN ('dead', 'retrying');
CREATE INDEX dead_letters_of_merchant ON inbound_hooks (merchant_id, dead_at DESC, id DESC) WHERE dead_at IS NOT NULL;
`

const settingsSql = `
CREATE TABLE merchants (id uuid PRIMARY KEY);
COMMENT ON TABLE merchants IS 'Whom admin has announced.';

CREATE TABLE channel_settings (
  merchant_id uuid NOT NULL,
  channel text NOT NULL,
  secret text,
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (merchant_id, channel),
  CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL)));
COMMENT ON TABLE channel_settings IS 'Secrets that merchants share with third parties, sealed.';
`

/** Verified hooks and what became of them; the secrets of merchants. */
export class Schema extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    this.addSql(hooksSql)
    this.addSql(settingsSql)
    this.addSql(recorderTableSql({ service, table: 'inbound_hooks' }))
    this.addSql(recorderTableSql({ service, table: 'merchants', workerGrants: 'SELECT, INSERT' }))
    this.addSql(tenantTableSql({ service, table: 'channel_settings', appGrants: 'SELECT, INSERT, UPDATE' }))
  }
}
