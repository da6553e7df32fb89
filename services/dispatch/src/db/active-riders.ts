import type { Tx } from '@svc/outbox'
import type { Job } from '../domain/job.ts'
import { isTerminal } from '../domain/terminal.ts'

/**
 * Brings rider_active in line with the order: its rider while it is under way, and the rider whose acceptance is.
 * The caller holds the lock of the job.
 */
export async function syncActiveRiders(tx: Tx, job: Job): Promise<void> {
  const holder = isTerminal(job.status) ? null : job.riderId
  await tx.sql(
    `WITH holders AS MATERIALIZED (
       SELECT id AS rider_id FROM riders WHERE id = $2
       UNION SELECT rider_id FROM dispatch_offers WHERE order_id = $1 AND state = 'accepting' AND rider_id IS NOT NULL
     ), gone AS (
       DELETE FROM rider_active WHERE order_id = $1 AND rider_id NOT IN (SELECT rider_id FROM holders))
     INSERT INTO rider_active (order_id, rider_id, merchant_id, since)
     SELECT $1, rider_id, $3, $4 FROM holders ON CONFLICT DO NOTHING`,
    [job.orderId, holder, job.merchantId, tx.now],
  )
}

/** How many orders the rider has under way, other than this one. */
export async function countActiveOrders(tx: Tx, riderId: string, exceptOrderId: string): Promise<number> {
  const { rows } = await tx.sql<{ active: number }>(
    'SELECT count(*)::int AS active FROM rider_active WHERE rider_id = $1 AND order_id <> $2',
    [riderId, exceptOrderId],
  )
  return rows[0]!.active
}
