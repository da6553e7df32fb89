/** Subscriptions at the payment provider, and the deliveries that a cycle counts. */
export const billingSql = `
CREATE TABLE subscription_intents (
  reference text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('checkout', 'authorization')),
  plan_code text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'closed')),
  subscription_code text UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT app_now(),
  attempted_at timestamptz(3) NOT NULL DEFAULT app_now(),
  verify_at timestamptz(3),
  period interval NOT NULL DEFAULT interval '1 month',
  paid_at timestamptz(3));
COMMENT ON TABLE subscription_intents IS
  'What we asked the provider to subscribe a merchant to; written before the call. Only what is here can change billing.';
COMMENT ON COLUMN subscription_intents.kind IS
  'checkout: its payment is announced under our reference; authorization: the provider hears of no reference.';
COMMENT ON COLUMN subscription_intents.period IS 'How long a payment of the plan lasts.';
COMMENT ON COLUMN subscription_intents.paid_at IS 'When we learned of the payment.';
COMMENT ON COLUMN subscription_intents.verify_at IS
  'When to look at it next; null: no more. Open: the provider is asked; paid: whether a subscription has come of it.';
CREATE UNIQUE INDEX subscription_intents_one_attempt ON subscription_intents (merchant_id, plan_code)
  WHERE kind = 'authorization' AND state = 'open';
CREATE INDEX subscription_intents_unmatched ON subscription_intents (merchant_id)
  WHERE subscription_code IS NULL AND state <> 'closed';
CREATE INDEX subscription_intents_due ON subscription_intents (verify_at) WHERE verify_at IS NOT NULL;

CREATE TABLE payment_customers (
  customer_code text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT app_now());
CREATE INDEX payment_customers_newest ON payment_customers (merchant_id, created_at DESC);

CREATE TABLE subscriptions (
  subscription_code text PRIMARY KEY,
  merchant_id uuid NOT NULL,
  plan_code text,
  period_end timestamptz(3),
  is_not_renewing boolean NOT NULL DEFAULT false,
  has_ended boolean NOT NULL DEFAULT false,
  last_paid_at timestamptz(3),
  last_failed_at timestamptz(3),
  manage_url text,
  manage_url_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT app_now());
CREATE INDEX subscriptions_of_merchant ON subscriptions (merchant_id);
COMMENT ON TABLE subscriptions IS
  'Every column that an event writes only grows, so that events may come in any order and any number of times.';
COMMENT ON COLUMN subscriptions.last_paid_at IS 'When the newest invoice that is paid was made, not when it was paid.';

CREATE TABLE billing_standings (
  merchant_id uuid PRIMARY KEY,
  billing_status text,
  period_end timestamptz(3),
  version int NOT NULL DEFAULT 0);
COMMENT ON TABLE billing_standings IS 'What was announced last of a merchant; its row is locked by whoever changes what it follows from.';

CREATE TABLE billed_deliveries (
  order_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  delivered_at timestamptz(3) NOT NULL);
CREATE INDEX billed_deliveries_of_merchant ON billed_deliveries (merchant_id, delivered_at);
COMMENT ON TABLE billed_deliveries IS 'Live orders, each at its first delivery.';
`
