import type { Tx } from '@svc/transact'
import { write } from './rows.ts'

/** So much time passed in a merchant's sandbox. */
export interface Advance {
  merchantId: string
  /** When it was asked for: orders made later are not concerned. */
  at: Date
  seconds: number
}

/** One after the other: an order that is taken over now is met by the advance, or asks for it. */
const lock = (tx: Tx, merchantIds: readonly string[]) =>
  write(
    tx,
    `SELECT pg_advisory_xact_lock(hashtextextended('sandbox_clock:' || id, 0))
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS sorted`,
    [merchantIds],
  )

/** Keeps it for orders that dispatch has yet to hear of. */
export async function keepAdvance(tx: Tx, { merchantId, at, seconds }: Advance): Promise<void> {
  await lock(tx, [merchantId])
  await write(tx, 'INSERT INTO sandbox_advances (merchant_id, at, seconds) VALUES ($1, $2, $3)', [
    merchantId,
    at,
    seconds,
  ])
}

const EARLIER = (seconds: string, column: string) => `${column} = j.${column} - ${seconds} * interval '1 second'`
const TIMES = ['next_at', 'search_started_at', 'delayed_at', 'scheduled_pickup_at', 'delivery_window_end'] as const
const allEarlier = (seconds: string) => TIMES.map((column) => EARLIER(seconds, column)).join(', ')

/** Brings nearer what waits for a time: searches, offers and quotes of the merchant's sandbox. */
export async function advanceJobs(tx: Tx, { merchantId, at, seconds }: Advance): Promise<void> {
  // Locks are taken in the order of the offers: the job first.
  await write(
    tx,
    `WITH open AS (
       SELECT order_id FROM dispatch_jobs
        WHERE merchant_id = $1 AND is_test AND search <> 'closed' AND order_created_at <= $2
        ORDER BY order_id FOR UPDATE)
     UPDATE dispatch_jobs j SET advanced_seconds = j.advanced_seconds + $3::int, ${allEarlier('$3::int')}
       FROM open WHERE j.order_id = open.order_id`,
    [merchantId, at, seconds],
  )
  await write(
    tx,
    `UPDATE dispatch_offers SET expires_at = expires_at - $2::int * interval '1 second'
      WHERE merchant_id = $1 AND is_test AND state = 'pending'`,
    [merchantId, seconds],
  )
  await write(
    tx,
    `UPDATE quotes SET expires_at = expires_at - $2::int * interval '1 second' WHERE merchant_id = $1 AND is_test`,
    [merchantId, seconds],
  )
}

/** The same for test orders that dispatch has just heard of, where time has passed since they were made. */
export async function catchUp(tx: Tx, orders: ReadonlyArray<{ orderId: string; merchantId: string }>): Promise<void> {
  if (orders.length === 0) return
  await lock(
    tx,
    orders.map(({ merchantId }) => merchantId),
  )
  await write(
    tx,
    `UPDATE dispatch_jobs j SET advanced_seconds = missed.seconds, ${allEarlier('missed.seconds')}
       FROM (SELECT n.order_id, sum(a.seconds)::bigint AS seconds
               FROM dispatch_jobs n JOIN sandbox_advances a ON a.merchant_id = n.merchant_id AND a.at >= n.order_created_at
              WHERE n.order_id = ANY($1::uuid[]) AND n.is_test AND n.advanced_seconds = 0 GROUP BY n.order_id) AS missed
      WHERE j.order_id = missed.order_id`,
    [orders.map(({ orderId }) => orderId)],
  )
}
