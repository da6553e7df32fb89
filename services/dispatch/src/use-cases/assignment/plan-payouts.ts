import type { Context } from '../../context.ts'
import type { Job } from '../../domain/job.ts'
import type { PayingOrder } from '../../peers/wallet.ts'

/** Orders that are asked about at once. */
const TOGETHER = 20

type Unplanned = PayingOrder & Pick<Job, 'orderId'>

/**
 * Finds out what riders would earn for orders on offer, once per order; false when that is known of all. Offers wait for
 * it no more than dispatch does. Throws while the wallet cannot be asked.
 */
export async function planPayouts({ wallet, database }: Pick<Context, 'wallet' | 'database'>): Promise<boolean> {
  if (!wallet) return false
  const { rows: orders } = await database.worker.query<Unplanned>(
    `SELECT order_id AS "orderId", merchant_id AS "merchantId", is_test AS "isTest",
            delivery_commission_minor AS "deliveryCommissionMinor", vehicle_type AS "vehicleType", source
       FROM dispatch_jobs WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted') LIMIT ${TOGETHER}`,
  )
  const payouts = await Promise.all(orders.map((order) => wallet.payoutOf(order)))
  for (const [index, { amountMinor, currency }] of payouts.entries()) {
    await database.worker.query(
      'UPDATE dispatch_jobs SET payout_minor = $2, payout_currency = $3 WHERE order_id = $1',
      [orders[index]!.orderId, amountMinor, currency],
    )
  }
  return orders.length > 0
}
