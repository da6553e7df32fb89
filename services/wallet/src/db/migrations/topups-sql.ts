/** Top-ups that were asked for, and hooks that came before what they are about. */
export const topupsSql = `
CREATE TABLE topup_intents (
  reference text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  callback_url text,
  idempotency_key text,
  state text NOT NULL DEFAULT 'opening' CHECK (state IN ('opening', 'open', 'refused', 'credited', 'expired')),
  attempt_until timestamptz(3) NOT NULL,
  authorization_url text,
  access_code text,
  provider_status text,
  verify_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  credited_at timestamptz(3),
  CHECK ((authorization_url IS NULL) = (access_code IS NULL)),
  CHECK ((state = 'credited') = (credited_at IS NOT NULL)),
  CHECK (state NOT IN ('refused', 'credited', 'expired') OR verify_at IS NULL));
COMMENT ON TABLE topup_intents IS
  'What we asked the payment provider to collect. A row is committed before the provider hears of its reference.';
COMMENT ON COLUMN topup_intents.state IS
  'opening: whether the provider has opened a checkout is not known yet; expired: no longer asked about, yet a late hook credits it.';
COMMENT ON COLUMN topup_intents.attempt_until IS 'Until then whoever made the row may still be waiting for the provider.';
COMMENT ON COLUMN topup_intents.provider_status IS 'The provider''s word when it was last asked.';
COMMENT ON COLUMN topup_intents.verify_at IS 'When to ask the provider next; null: no more.';
CREATE UNIQUE INDEX topup_intents_key ON topup_intents (merchant_id, idempotency_key);
CREATE INDEX topup_intents_due ON topup_intents (verify_at) WHERE verify_at IS NOT NULL;

CREATE TABLE waiting_hooks (
  hook_id uuid PRIMARY KEY,
  version int NOT NULL,
  merchant_id uuid,
  signed_by_platform boolean NOT NULL,
  body bytea NOT NULL,
  reason text NOT NULL,
  waiting_since timestamptz(3) NOT NULL DEFAULT app_now(),
  retry_at timestamptz(3) NOT NULL);
COMMENT ON TABLE waiting_hooks IS 'Events of the payment provider about something that is not known here yet.';
COMMENT ON COLUMN waiting_hooks.version IS 'How often the hook was handed to us: the judgement is about this time.';
CREATE INDEX waiting_hooks_due ON waiting_hooks (retry_at);
`
