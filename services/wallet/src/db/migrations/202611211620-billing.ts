import { recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'

const service = 'wallet'

const subscriptionsSql = `
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
  verify_at timestamptz(3));
COMMENT ON TABLE subscription_intents IS
  'What we asked the provider to subscribe a merchant to; written before the call. Only what is here can change billing.';
COMMENT ON COLUMN subscription_intents.kind IS
  'checkout: its payment is announced under our reference; authorization: the provider hears of no reference.';
COMMENT ON COLUMN subscription_intents.verify_at IS 'When to ask the provider about the payment next; null: no more.';
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
`

const usageSql = `
CREATE TABLE billed_deliveries (
  order_id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL,
  delivered_at timestamptz(3) NOT NULL);
CREATE INDEX billed_deliveries_of_merchant ON billed_deliveries (merchant_id, delivered_at);
COMMENT ON TABLE billed_deliveries IS 'Live orders, each at its first delivery.';

ALTER TABLE merchants
  ADD timezone text NOT NULL DEFAULT 'Africa/Lagos',
  ADD billing_included_allowance int,
  ADD billing_overage_fee_minor bigint;
`

/** Subscriptions at the payment provider, and the deliveries that a cycle counts. */
export class Billing extends SqlMigration {
  override up(): void {
    this.addSql(subscriptionsSql)
    this.addSql(usageSql)
    for (const table of ['subscriptions', 'billed_deliveries'])
      this.addSql(tenantTableSql({ service, table, appGrants: 'SELECT' }))
    for (const table of ['subscription_intents', 'payment_customers', 'billing_standings'])
      this.addSql(recorderTableSql({ service, table, workerGrants: 'SELECT, INSERT, UPDATE' }))
    this.addSql(`REVOKE UPDATE, DELETE ON billed_deliveries FROM ${service}_worker`)
    this.addSql(`REVOKE DELETE ON subscriptions FROM ${service}_worker`)
  }
}
