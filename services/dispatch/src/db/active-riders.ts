import type { Tx } from '@svc/transact'
import type { Job } from '../domain/job.ts'
import { isTerminal } from '../domain/terminal.ts'
import { rowOf, rowsOf, write } from './rows.ts'

/** An order that a rider has under way. */
export interface CarriedOrder {
  orderId: string
  since: Date
  /** The rider has said yes and the order has not answered. */
  isAccepting: boolean
}

/**
 * Brings rider_active in line with the order: its rider while it is under way, and the rider whose acceptance is; and
 * whether that rider has acted itself. The caller holds the lock of the job.
 */
export async function syncActiveRiders(tx: Tx, job: Job): Promise<void> {
  const holder = isTerminal(job.status) ? null : job.riderId
  await write(
    tx,
    `WITH holders AS MATERIALIZED (
       SELECT rider_id, bool_or(acted) AS acted FROM (
         SELECT id AS rider_id, $5::boolean AS acted FROM riders WHERE id = $2
         UNION ALL
         SELECT rider_id, kind = 'auto' FROM dispatch_offers
          WHERE order_id = $1 AND state = 'accepting' AND rider_id IS NOT NULL) AS holder
        GROUP BY rider_id
     ), gone AS (
       DELETE FROM rider_active WHERE order_id = $1 AND rider_id NOT IN (SELECT rider_id FROM holders))
     INSERT INTO rider_active AS present (order_id, rider_id, merchant_id, since, acted)
     SELECT $1, rider_id, $3, $4, acted FROM holders
     ON CONFLICT (order_id, rider_id) DO UPDATE SET acted = excluded.acted WHERE present.acted <> excluded.acted`,
    [job.orderId, holder, job.merchantId, tx.now, job.riderActed],
  )
}

/** Of rider_active `a`: takes capacity of the rider from the merchant. What a rider was given unasked binds its giver alone. */
export const takesCapacityFrom = (merchantId: string): string => `(a.acted OR a.merchant_id = ${merchantId})`

/** How many orders, other than this one, the rider has under way as far as they take capacity from the merchant. */
export async function countActiveOrders(
  tx: Tx,
  riderId: string,
  { merchantId, orderId }: { merchantId: string; orderId?: string },
): Promise<number> {
  const counted = await rowOf<{ active: number }>(
    tx,
    `SELECT count(*)::int AS active FROM rider_active a
      WHERE a.rider_id = $1 AND a.order_id IS DISTINCT FROM $2 AND ${takesCapacityFrom('$3')}`,
    [riderId, orderId ?? null, merchantId],
  )
  return counted!.active
}

/** The orders that the rider has under way: those of these merchants, or of any. */
export const carriedOrders = (
  tx: Tx,
  riderId: string,
  merchantIds: readonly string[] | 'every merchant',
): Promise<CarriedOrder[]> =>
  rowsOf<CarriedOrder>(
    tx,
    `SELECT a.order_id, a.since,
            EXISTS (SELECT FROM dispatch_offers o
                     WHERE o.order_id = a.order_id AND o.rider_id = a.rider_id AND o.state = 'accepting') AS is_accepting
       FROM rider_active a WHERE a.rider_id = $1 AND ($2::uuid[] IS NULL OR a.merchant_id = ANY ($2))`,
    [riderId, merchantIds === 'every merchant' ? null : merchantIds],
  )
