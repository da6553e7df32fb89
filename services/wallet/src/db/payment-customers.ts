import type { Tx } from '@svc/transact'

/** Remembers which merchant the provider's customer is; answers which: the first merchant stays. */
export async function claimCustomer(tx: Tx, customerCode: string, merchantId: string): Promise<string> {
  await tx.sql('INSERT INTO payment_customers (customer_code, merchant_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    customerCode,
    merchantId,
  ])
  return (await merchantOfCustomer(tx, customerCode))!
}

/** Null for a customer that never paid for a subscription of ours. */
export async function merchantOfCustomer(tx: Tx, customerCode: string): Promise<string | null> {
  const { rows } = await tx.sql<{ merchant_id: string }>(
    'SELECT merchant_id FROM payment_customers WHERE customer_code = $1',
    [customerCode],
  )
  return rows[0]?.merchant_id ?? null
}

/** As whom a merchant paid last. */
export async function customerOf(tx: Tx, merchantId: string): Promise<string | null> {
  const { rows } = await tx.sql<{ customer_code: string }>(
    'SELECT customer_code FROM payment_customers WHERE merchant_id = $1 ORDER BY created_at DESC LIMIT 1',
    [merchantId],
  )
  return rows[0]?.customer_code ?? null
}
