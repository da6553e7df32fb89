import type { Tx } from '@svc/outbox'
import { query } from './query.ts'

/** Whether anything here belongs to the merchant, be it its name alone. */
export async function isKnownMerchant(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await query<{ known: boolean }>(
    tx,
    `SELECT EXISTS (SELECT FROM merchant WHERE merchant_id = $1) OR EXISTS (SELECT FROM endpoint WHERE merchant_id = $1)
         OR EXISTS (SELECT FROM delivery WHERE merchant_id = $1) AS known`,
    [merchantId],
  )
  return row?.known ?? false
}
