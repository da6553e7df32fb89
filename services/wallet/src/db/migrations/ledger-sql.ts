/** Accounts, the double-entry ledger and holds. */
export const ledgerSql = `
CREATE TYPE owner_kind AS ENUM ('merchant', 'rider', 'operator', 'provider');
CREATE TYPE account_purpose AS ENUM ('available', 'held');
CREATE TYPE op_outcome AS ENUM ('applied', 'declined', 'aborted');
CREATE TYPE entry_type AS ENUM ('topup', 'commission_debit', 'commission_credit', 'commission_hold', 'commission_released',
  'shipment_hold', 'shipment_release', 'withdrawal_reserve', 'withdrawal_reversal', 'withdrawal_paid', 'subscription',
  'refund', 'adjustment');

CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  owner_kind owner_kind NOT NULL,
  owner_id uuid NOT NULL,
  purpose account_purpose NOT NULL,
  currency text NOT NULL,
  is_test boolean NOT NULL,
  merchant_id uuid GENERATED ALWAYS AS (CASE WHEN owner_kind = 'merchant' THEN owner_id END) STORED,
  balance_minor bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  floor_minor bigint,
  opened_at timestamptz(3) NOT NULL DEFAULT app_now(),
  updated_at timestamptz(3) NOT NULL DEFAULT app_now(),
  -- One check: each is read anew by every statement that writes an account.
  CONSTRAINT accounts_floor CHECK (CASE WHEN owner_kind IN ('operator', 'provider')
    THEN floor_minor IS NULL AND balance_minor = 0 AND version = 0
    ELSE floor_minor IS NOT NULL AND balance_minor BETWEEN floor_minor AND 9007199254740991 END),
  UNIQUE (owner_kind, owner_id, purpose, currency, is_test)
) WITH (fillfactor = 70);
COMMENT ON TABLE accounts IS
  'Operator and provider accounts keep no balance of their own: every posting would wait for that one row. Theirs is the sum of their lines.';
COMMENT ON COLUMN accounts.version IS 'How many lines the account has; the last of them bears this number.';

CREATE TABLE wallet_ops (
  op_key text PRIMARY KEY,
  request_hash bytea NOT NULL,
  kind text NOT NULL,
  subject_id text,
  merchant_id uuid,
  is_test boolean,
  outcome op_outcome NOT NULL,
  result jsonb,
  about jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL);
COMMENT ON TABLE wallet_ops IS 'One decision per key, for ever. What was aborted was never decided and never will be.';
COMMENT ON COLUMN wallet_ops.about IS 'rider_id, shipment_id, withdrawal_id, reference, description, as far as they apply.';
CREATE UNIQUE INDEX wallet_ops_once ON wallet_ops (kind, subject_id) WHERE outcome = 'applied';

CREATE TABLE ledger_lines (
  op_key text NOT NULL REFERENCES wallet_ops,
  line_no smallint NOT NULL,
  account_id uuid NOT NULL,
  merchant_id uuid,
  is_test boolean NOT NULL,
  currency text NOT NULL,
  entry_type entry_type NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0 OR entry_type = 'withdrawal_paid'),
  balance_after_minor bigint,
  account_version bigint,
  order_id uuid,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (op_key, line_no),
  UNIQUE (account_id, account_version));
COMMENT ON COLUMN ledger_lines.account_id IS
  'Not a foreign key: its checks would lock the rows of accounts that all postings share.';
COMMENT ON COLUMN ledger_lines.account_version IS
  'Counts the lines of an account without gaps, so that any page of a statement is one range of the index.';
COMMENT ON COLUMN ledger_lines.merchant_id IS 'Who may see the line: not the merchant whose order a rider was paid for.';
CREATE UNIQUE INDEX ledger_lines_one_commission ON ledger_lines (order_id) WHERE entry_type = 'commission_credit';
CREATE INDEX ledger_lines_escrow ON ledger_lines (merchant_id, is_test, created_at DESC, op_key DESC)
  WHERE entry_type IN ('commission_hold', 'commission_released') AND (entry_type = 'commission_hold') = (amount_minor > 0);
CREATE INDEX ledger_lines_escrow_of_order ON ledger_lines (order_id)
  WHERE entry_type IN ('commission_hold', 'commission_released') AND (entry_type = 'commission_hold') = (amount_minor > 0);

CREATE TABLE holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subject_kind text NOT NULL,
  subject_id uuid NOT NULL,
  merchant_id uuid NOT NULL,
  is_test boolean NOT NULL,
  currency text NOT NULL,
  payer_kind owner_kind NOT NULL,
  payer_id uuid NOT NULL,
  beneficiary_id uuid,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  captured_minor bigint NOT NULL DEFAULT 0 CHECK (captured_minor >= 0),
  released_minor bigint NOT NULL DEFAULT 0 CHECK (released_minor >= 0),
  state text NOT NULL DEFAULT 'placed' CHECK (state IN ('placed', 'closed', 'voided')),
  placed_by text NOT NULL REFERENCES wallet_ops,
  placed_at timestamptz(3) NOT NULL DEFAULT app_now(),
  CHECK (captured_minor + released_minor <= amount_minor),
  CHECK ((state = 'placed') = (captured_minor + released_minor < amount_minor)),
  CHECK (state <> 'voided' OR captured_minor = 0));
COMMENT ON TABLE holds IS 'Amounts put aside from the available to the held account of their payer.';
COMMENT ON COLUMN holds.beneficiary_id IS 'The rider whom it is for, where that is known beforehand.';
CREATE UNIQUE INDEX holds_one_open ON holds (subject_kind, subject_id) WHERE state = 'placed';
CREATE INDEX holds_of_payer ON holds (payer_kind, payer_id) WHERE state = 'placed';

CREATE TABLE hold_captures (
  hold_id uuid NOT NULL REFERENCES holds,
  part_id uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  op_key text NOT NULL REFERENCES wallet_ops,
  PRIMARY KEY (hold_id, part_id));

CREATE FUNCTION require_balanced_operation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_lines WHERE op_key = NEW.op_key GROUP BY currency, is_test HAVING sum(amount_minor) <> 0) THEN
    RAISE EXCEPTION 'the lines of % do not sum to zero', NEW.op_key USING ERRCODE = '23514';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER balanced AFTER INSERT ON ledger_lines DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION require_balanced_operation();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: what is written stays', TG_OP, TG_TABLE_NAME USING ERRCODE = '42501';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_lines EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_ops EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON hold_captures EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON accounts EXECUTE FUNCTION refuse_change();
CREATE TRIGGER never_removed BEFORE DELETE OR TRUNCATE ON holds EXECUTE FUNCTION refuse_change();
`
