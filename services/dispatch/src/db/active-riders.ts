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
 * Brings rider_active in line with the order: its rider while it is under way, and the rider whose acceptance is.
 * The caller holds the lock of the job.
 */
export async function syncActiveRiders(tx: Tx, job: Job): Promise<void> {
  const holder = isTerminal(job.status) ? null : job.riderId
  await write(
    tx,
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
export async function countActiveOrders(tx: Tx, riderId: string, exceptOrderId?: string): Promise<number> {
  const counted = await rowOf<{ active: number }>(
    tx,
    'SELECT count(*)::int AS active FROM rider_active WHERE rider_id = $1 AND order_id IS DISTINCT FROM $2',
    [riderId, exceptOrderId ?? null],
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
