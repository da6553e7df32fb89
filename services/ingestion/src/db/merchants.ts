import type { Tx } from '@svc/outbox'

export async function storeMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx.sql('INSERT INTO merchants (id) VALUES ($1) ON CONFLICT DO NOTHING', [merchantId])
}

export async function isKnownMerchant(tx: Tx, merchantId: string): Promise<boolean> {
  const { rows } = await tx.sql('SELECT FROM merchants WHERE id = $1', [merchantId])
  return rows.length > 0
}
