import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import { rowOf, type Source, write } from './rows.ts'

export type FulfillmentMode = 'freelancer' | 'internal_fleet'

export interface KnownMerchant {
  id: string
  name: string
  slug: string
  currency: string
  timezone: string
  fulfillmentMode: FulfillmentMode
}

/** What is known of a merchant, or null. */
export const findMerchant = (source: Source, id: string): Promise<KnownMerchant | null> =>
  rowOf<KnownMerchant>(
    source,
    'SELECT id, name, slug, currency, timezone, fulfillment_mode FROM merchants WHERE id = $1',
    [id],
  )

/** Takes over a merchant as it was at that version; answers whether it did: an older one changes nothing. */
export async function saveMerchant(tx: Tx, merchant: Merchant, version: number): Promise<boolean> {
  const written = await write(
    tx,
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
  return written > 0
}

/** Whether the merchant delivers by its own fleet; one that is not known yet does not. */
export async function deliversByOwnFleet({ worker }: Pick<Database, 'worker'>, merchantId: string): Promise<boolean> {
  const text = `SELECT FROM merchants WHERE id = $1 AND fulfillment_mode = 'internal_fleet'`
  return (await worker.query({ name: 'delivers_by_own_fleet', text, values: [merchantId] })).rowCount === 1
}
