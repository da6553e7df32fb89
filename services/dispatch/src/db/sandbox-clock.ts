import type { Tx } from '@svc/transact'
import { rowOf, write } from './rows.ts'

/** So much time passed in a merchant's sandbox. */
export interface Advance {
  merchantId: string
  /** The number of this advance among those of the sandbox. */
  version: number
  /** When it was asked for: orders made later are not concerned. */
  at: Date
  seconds: number
}

/**
 * Keeps it, to be carried out, and for orders that dispatch has yet to hear of. Orders that are being taken over are
 * waited for: one that is taken over now is met by the advance, or asks for it. Nobody waits for more than this row.
 */
export async function keepAdvance(tx: Tx, { merchantId, version, at, seconds }: Advance): Promise<void> {
  await write(tx, `SELECT pg_advisory_xact_lock(hashtextextended('sandbox_clock:' || $1::text, 0))`, [merchantId])
  await write(
    tx,
    'INSERT INTO sandbox_advances (merchant_id, version, at, seconds, is_carried_out) VALUES ($1, $2, $3, $4, false)',
    [merchantId, version, at, seconds],
  )
}

/** An advance that is to be carried out and that no other replica works on, none before those before it; null when there is none. */
export const claimAdvance = (tx: Tx): Promise<Advance | null> =>
  rowOf<Advance>(
    tx,
    `SELECT merchant_id, version, at, seconds FROM sandbox_advances a
      WHERE NOT is_carried_out
        AND NOT EXISTS (SELECT FROM sandbox_advances b
                         WHERE b.merchant_id = a.merchant_id AND b.version < a.version AND NOT b.is_carried_out)
      ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED`,
  )

const EARLIER = (seconds: string, column: string) => `${column} = j.${column} - ${seconds} * interval '1 second'`
const TIMES = ['next_at', 'search_started_at', 'delayed_at', 'scheduled_pickup_at', 'delivery_window_end'] as const
const allEarlier = (seconds: string) => TIMES.map((column) => EARLIER(seconds, column)).join(', ')

const CONCERNED = `merchant_id = $1 AND is_test AND search <> 'closed' AND order_created_at <= $2 AND advanced_version < $3`
const concernedBy = ({ merchantId, at, version }: Advance) => [merchantId, at, version]

/**
 * Brings nearer what so many orders wait for that have not met the advance: searches and offers. Answers how many these
 * were; one that another transaction works on is left for later.
 */
export const advanceJobs = (tx: Tx, advance: Advance, limit: number): Promise<number> =>
  // Locks are taken in the order of the offers: the job first.
  write(
    tx,
    `WITH open AS (
       SELECT order_id FROM dispatch_jobs WHERE ${CONCERNED} ORDER BY order_id LIMIT $5 FOR UPDATE SKIP LOCKED),
     offers AS (
       UPDATE dispatch_offers o SET expires_at = o.expires_at - $4::int * interval '1 second'
         FROM open WHERE o.order_id = open.order_id AND o.is_test AND o.state = 'pending')
     UPDATE dispatch_jobs j
        SET advanced_version = $3, advanced_seconds = j.advanced_seconds + $4::int, ${allEarlier('$4::int')}
       FROM open WHERE j.order_id = open.order_id`,
    [...concernedBy(advance), advance.seconds, limit],
  )

/** Brings quotes nearer their end, and closes the advance, where every order has met it. Answers whether it did. */
export async function endAdvance(tx: Tx, advance: Advance): Promise<boolean> {
  const { merchantId, version, at, seconds } = advance
  const ended = await write(
    tx,
    `UPDATE sandbox_advances SET is_carried_out = true
      WHERE merchant_id = $1 AND version = $3 AND NOT EXISTS (SELECT FROM dispatch_jobs WHERE ${CONCERNED})`,
    concernedBy({ merchantId, version, at, seconds }),
  )
  if (ended === 0) return false
  await write(
    tx,
    `UPDATE quotes SET expires_at = expires_at - $3::int * interval '1 second'
      WHERE merchant_id = $1 AND is_test AND created_at <= $2 AND expires_at > $2`,
    [merchantId, at, seconds],
  )
  return true
}

/** The same for test orders that dispatch has just heard of, where time has passed since they were made. */
export async function catchUp(tx: Tx, orders: ReadonlyArray<{ orderId: string; merchantId: string }>): Promise<void> {
  if (orders.length === 0) return
  await write(
    tx,
    `SELECT pg_advisory_xact_lock_shared(hashtextextended('sandbox_clock:' || id, 0))
       FROM (SELECT DISTINCT id FROM unnest($1::text[]) AS id ORDER BY id) AS sorted`,
    [orders.map(({ merchantId }) => merchantId)],
  )
  await write(
    tx,
    `UPDATE dispatch_jobs j
        SET advanced_version = missed.version, advanced_seconds = missed.seconds, ${allEarlier('missed.seconds')}
       FROM (SELECT n.order_id, sum(a.seconds)::bigint AS seconds, max(a.version) AS version
               FROM dispatch_jobs n JOIN sandbox_advances a ON a.merchant_id = n.merchant_id AND a.at >= n.order_created_at
              WHERE n.order_id = ANY($1::uuid[]) AND n.is_test AND n.advanced_seconds = 0 GROUP BY n.order_id) AS missed
      WHERE j.order_id = missed.order_id`,
    [orders.map(({ orderId }) => orderId)],
  )
}
