import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { Tx } from '@svc/outbox'
import { lockSettings } from '../db/merchant-rules.ts'

/**
 * Takes over a merchant as it was at that version; an older one changes nothing. Orders that wait are looked at again
 * where automatic dispatch was switched on or off.
 */
export async function rememberMerchant(tx: Tx, merchant: Merchant, version: number): Promise<void> {
  await lockSettings(tx, merchant.id)
  const { rowCount } = await tx.sql(
    `INSERT INTO merchants (id, name, slug, timezone, currency, auto_dispatch_enabled, dispatch_mode,
                            dispatch_batch_size, fulfillment_mode, version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (id) DO UPDATE SET
       name = excluded.name, slug = excluded.slug, timezone = excluded.timezone, currency = excluded.currency,
       auto_dispatch_enabled = excluded.auto_dispatch_enabled, dispatch_mode = excluded.dispatch_mode,
       dispatch_batch_size = excluded.dispatch_batch_size, fulfillment_mode = excluded.fulfillment_mode,
       version = excluded.version
     WHERE merchants.version < excluded.version`,
    [
      merchant.id,
      merchant.name,
      merchant.slug,
      merchant.timezone,
      merchant.currency,
      merchant.auto_dispatch_enabled,
      merchant.dispatch_mode,
      merchant.dispatch_batch_size,
      merchant.fulfillment_mode,
      version,
    ],
  )
  if (rowCount === 0) return
  // Whoever holds the lock of an order has not read these settings yet, or settles that the order is looked at again.
  await tx.sql(
    `UPDATE dispatch_jobs SET next_at = $3 WHERE order_id IN (
       SELECT order_id FROM dispatch_jobs
        WHERE merchant_id = $1 AND status = 'pending' AND $2 = (search = 'idle' AND next_at IS NULL)
          FOR UPDATE SKIP LOCKED)`,
    [merchant.id, merchant.auto_dispatch_enabled, tx.now],
  )
}
