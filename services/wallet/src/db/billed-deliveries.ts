import type { SettledTotals, Tenant } from '@svc/database'
import type { Reads, Tx } from '@svc/transact'

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

/** None is stored before it is made, but for what two clocks differ by. */
const CLOCKS_DIFFER = `interval '1 hour'`

/** Deliveries from `start` up to, and without, `end`: however many, and none of them counted twice by a process. */
export async function countDeliveries(
  { reads, settledTotals }: { reads: Reads; settledTotals: SettledTotals },
  tenant: Tenant,
  start: Date,
  end: Date,
): Promise<number> {
  const found = `billed_deliveries WHERE merchant_id = $1 AND delivered_at >= $2::timestamptz AND delivered_at < $3
    AND stored_at >= $2::timestamptz - ${CLOCKS_DIFFER}`
  const params = [tenant.merchantId, start, end]
  const counting = settledTotals.of({ found, params, order: { column: 'stored_at' } })(Number.POSITIVE_INFINITY)
  const [counted] = await reads.together(tenant, counting.statements)
  return counting.total(counted?.[0])
}
