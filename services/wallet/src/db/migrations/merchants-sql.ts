/** What the wallet must know of merchants. */
export const merchantsSql = `
CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  currency text NOT NULL,
  merchant_tier text NOT NULL,
  billing_status text NOT NULL,
  billing_period_end timestamptz,
  kyb_status text NOT NULL,
  version int NOT NULL,
  timezone text NOT NULL DEFAULT 'Africa/Lagos',
  billing_included_allowance int,
  billing_overage_fee_minor bigint);
COMMENT ON TABLE merchants IS 'Read model of merchant.* facts.';

CREATE TABLE commission_settings (
  merchant_id uuid PRIMARY KEY,
  automation boolean,
  trigger_statuses text[],
  merchant_debit boolean,
  require_payment_verified boolean,
  rules jsonb NOT NULL DEFAULT '[]',
  updated_at timestamptz(3) NOT NULL);
COMMENT ON TABLE commission_settings IS 'What is null follows the operator''s value.';
`
