import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { Tx } from '@svc/outbox'
import { query } from '../db/query.ts'

/** Keeps whom to write to about a merchant's endpoint; an older fact never overwrites a newer one. */
export async function rememberMerchant(tx: Tx, merchant: Merchant, version: number): Promise<void> {
  await query(
    tx,
    `INSERT INTO merchant (merchant_id, name, email, version) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id) DO UPDATE SET name = excluded.name, email = excluded.email, version = excluded.version
      WHERE merchant.version < excluded.version`,
    [merchant.id, merchant.name, merchant.email, version],
  )
}
