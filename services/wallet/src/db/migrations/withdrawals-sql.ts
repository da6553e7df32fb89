/** Payout instruments and withdrawals of merchants and riders. */
export const withdrawalsSql = `
CREATE TABLE payout_instruments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_kind owner_kind NOT NULL CHECK (owner_kind IN ('merchant', 'rider')),
  owner_id uuid NOT NULL,
  merchant_id uuid GENERATED ALWAYS AS (CASE WHEN owner_kind = 'merchant' THEN owner_id END) STORED,
  bank_code text NOT NULL,
  bank_name text,
  account_name text NOT NULL,
  account_last4 text NOT NULL CHECK (account_last4 ~ '^[0-9]{4}$'),
  recipient_code text NOT NULL,
  is_default boolean NOT NULL,
  frozen_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  UNIQUE (owner_kind, owner_id, recipient_code));
COMMENT ON TABLE payout_instruments IS 'Bank accounts that live money is paid out to. Their numbers are kept by the provider alone.';
COMMENT ON COLUMN payout_instruments.recipient_code IS 'The account at the provider; the same for the same account.';
COMMENT ON COLUMN payout_instruments.frozen_until IS 'Until then its owner, a rider, withdraws nothing, to whichever account.';
CREATE UNIQUE INDEX payout_instruments_one_default ON payout_instruments (owner_kind, owner_id) WHERE is_default;

CREATE TABLE withdrawals (
  id uuid PRIMARY KEY,
  owner_kind owner_kind NOT NULL CHECK (owner_kind IN ('merchant', 'rider')),
  owner_id uuid NOT NULL,
  merchant_id uuid GENERATED ALWAYS AS (CASE WHEN owner_kind = 'merchant' THEN owner_id END) STORED,
  payout_instrument_id uuid NOT NULL REFERENCES payout_instruments,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  status text NOT NULL
    CHECK (status IN ('pending_review', 'approved', 'processing', 'paid', 'failed', 'rejected', 'cancelled')),
  attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
  provider_reference text UNIQUE,
  approvals int NOT NULL DEFAULT 0,
  reviewed_by text,
  reviewed_at timestamptz(3),
  submitted_at timestamptz(3),
  verify_at timestamptz(3),
  paid_at timestamptz(3),
  failure_reason text,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  CHECK (status NOT IN ('processing', 'paid', 'failed') OR (provider_reference IS NOT NULL AND reviewed_by IS NOT NULL)));
COMMENT ON TABLE withdrawals IS 'Live money on its way out. What is open (pending_review, approved, processing) lies in the held account of its owner.';
COMMENT ON COLUMN withdrawals.provider_reference IS 'Of the latest attempt; committed before the provider hears of it.';
COMMENT ON COLUMN withdrawals.reviewed_by IS 'Which operator let it go out last, or rejected it.';
COMMENT ON COLUMN withdrawals.submitted_at IS
  'When the latest attempt was sent last, sendings that the provider refused apart; also tells one sending from another.';
COMMENT ON COLUMN withdrawals.verify_at IS 'From then on the provider is asked what became of the attempt.';
CREATE INDEX withdrawals_of_owner ON withdrawals (owner_kind, owner_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_by_status ON withdrawals (status, created_at DESC, id DESC);
CREATE INDEX withdrawals_newest ON withdrawals (created_at DESC, id DESC);
CREATE INDEX withdrawals_to_verify ON withdrawals (verify_at) WHERE status IN ('processing', 'paid');

CREATE TABLE withdrawal_approvals (
  withdrawal_id uuid NOT NULL REFERENCES withdrawals,
  approved_by text NOT NULL,
  approved_at timestamptz(3) NOT NULL DEFAULT app_now(),
  PRIMARY KEY (withdrawal_id, approved_by));
CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON withdrawals EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON withdrawal_approvals EXECUTE FUNCTION refuse_change();
`
