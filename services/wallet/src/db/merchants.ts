import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { Tx } from '@svc/transact'

/** What a wallet is opened in before the merchant is known. */
const CURRENCY = 'NGN'

/** Takes over a merchant as it was at that version; an older one changes nothing. */
export async function storeMerchant(tx: Tx, merchant: Merchant, version: number): Promise<void> {
  await tx.sql(
    `INSERT INTO merchants (id, currency, merchant_tier, billing_status, billing_period_end, kyb_status, version,
                            timezone, billing_included_allowance, billing_overage_fee_minor)
     VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce(nullif($8, ''), 'Africa/Lagos'), $9, $10)
     ON CONFLICT (id) DO UPDATE SET
       currency = excluded.currency, merchant_tier = excluded.merchant_tier, billing_status = excluded.billing_status,
       billing_period_end = excluded.billing_period_end, kyb_status = excluded.kyb_status, version = excluded.version,
       timezone = excluded.timezone, billing_included_allowance = excluded.billing_included_allowance,
       billing_overage_fee_minor = excluded.billing_overage_fee_minor
     WHERE merchants.version < excluded.version`,
    [
      merchant.id,
      merchant.currency,
      merchant.merchant_tier,
      merchant.billing_status,
      merchant.billing_period_end ?? null,
      merchant.kyb_status,
      version,
      merchant.timezone,
      merchant.billing_included_allowance ?? null,
      merchant.billing_overage_fee_minor ?? null,
    ],
  )
}

/** The currency of a merchant; the platform's own while its fact is on the way. */
export async function currencyOf(tx: Tx, merchantId: string): Promise<string> {
  const { rows } = await tx.sql<{ currency: string }>('SELECT currency FROM merchants WHERE id = $1', [merchantId])
  return rows[0]?.currency ?? CURRENCY
}

export async function isKnownMerchant(tx: Pick<Tx, 'sql'>, merchantId: string): Promise<boolean> {
  const { rows } = await tx.sql('SELECT FROM merchants WHERE id = $1', [merchantId])
  return rows.length > 0
}
