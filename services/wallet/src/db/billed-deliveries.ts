import type { Tx } from '@svc/transact'

interface Delivery {
  orderId: string
  merchantId: string
  deliveredAt: Date
}

/** Remembers deliveries; of an order the first one stays. */
export async function storeDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
  await tx.sql(
    `INSERT INTO billed_deliveries (order_id, merchant_id, delivered_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) ON CONFLICT DO NOTHING`,
    [
      deliveries.map(({ orderId }) => orderId),
      deliveries.map(({ merchantId }) => merchantId),
      deliveries.map(({ deliveredAt }) => deliveredAt),
    ],
  )
}

/** Deliveries from `start` up to, and without, `end`. */
export async function countDeliveries(sql: Tx['sql'], merchantId: string, start: Date, end: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>(
    'SELECT count(*) FROM billed_deliveries WHERE merchant_id = $1 AND delivered_at >= $2 AND delivered_at < $3',
    [merchantId, start, end],
  )
  return rows[0]!.count
}
