import type { Tx } from '@svc/transact'
import { wakeLanes } from './lanes.ts'
import { query } from './query.ts'

/** So much time passed in a merchant's sandbox. */
export interface Advance {
  merchantId: string
  /** The number of this advance among those of the sandbox. */
  version: number
  seconds: number
}

export interface OpenAdvance extends Advance {
  heardAt: Date
  /** The last delivery that has met it; null: none has. */
  metTo: string | null
}

/** What came of a step. */
interface Met {
  /** Deliveries that were brought nearer. */
  moved: number
  /** All have met the advance, which is gone. */
  isEnded: boolean
}

/** Keeps it, to be carried out: whoever hears of it waits for no delivery. */
export async function keepAdvance(tx: Tx, { merchantId, version, seconds }: Advance): Promise<void> {
  await query(
    tx,
    'INSERT INTO sandbox_advance (merchant_id, version, seconds) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [merchantId, version, seconds],
  )
}

/** An advance that no other replica works on, of a merchant its earliest, every merchant with the same chance; or null. */
export async function claimAdvance(tx: Tx): Promise<OpenAdvance | null> {
  const [advance] = await query<OpenAdvance>(
    tx,
    `SELECT merchant_id AS "merchantId", version, seconds, heard_at AS "heardAt", met_to AS "metTo" FROM sandbox_advance a
      WHERE NOT EXISTS (SELECT FROM sandbox_advance b WHERE b.merchant_id = a.merchant_id AND b.version < a.version)
      ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED`,
  )
  return advance ?? null
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

const EARLIER = (column: string) => `${column} = ${column} - $2::int * interval '1 second'`

/**
 * Brings nearer what the sandbox has one of: the end of a secret that was replaced, and that of the breaker. In this order,
 * as who changes an endpoint: each would wait for the other.
 */
export async function advanceLane(tx: Tx, { merchantId, seconds }: Advance): Promise<void> {
  // The live endpoint is in the same row: it is not locked for nothing.
  await query(
    tx,
    `UPDATE endpoint SET ${EARLIER('test_previous_secret_expires_at')}
      WHERE merchant_id = $1 AND test_previous_secret_expires_at IS NOT NULL`,
    [merchantId, seconds],
  )
  await query(
    tx,
    `UPDATE lane SET ${EARLIER('open_until')},
            due_at = greatest(least(due_at, app_now()), open_until - $2::int * interval '1 second')
      WHERE merchant_id = $1 AND is_test`,
    [merchantId, seconds],
  )
}

/**
 * Brings nearer what the next so many deliveries wait for, retries and what is kept back, and notes how far it came: where
 * this transaction is lost, so is all of it. Answers what came of it. What is leased or locked is passed over: it
 * gets its next time from now on. Locks are taken as everywhere: delivery, queued_delivery, lane.
 */
export async function advanceDeliveries(tx: Tx, advance: OpenAdvance, limit: number): Promise<Met> {
  const { merchantId, version, seconds, heardAt, metTo } = advance
  const [met] = await query<{ last: string | null; count: number; moved: number }>(
    tx,
    `WITH met AS MATERIALIZED (
       SELECT delivery_id FROM queued_delivery
        WHERE merchant_id = $1 AND is_test AND delivery_id > coalesce($3::uuid, '${BEFORE_ALL}')
        ORDER BY delivery_id LIMIT $5),
     waiting AS (
       SELECT d.id FROM met JOIN queued_delivery q ON q.delivery_id = met.delivery_id JOIN delivery d ON d.id = q.delivery_id
        WHERE q.lease IS NULL AND q.claimable_at > app_now() AND d.status = 'pending' AND d.created_at <= $4
        ORDER BY d.id FOR UPDATE OF d, q SKIP LOCKED),
     claimable AS (
       UPDATE queued_delivery q SET ${EARLIER('claimable_at')} FROM waiting WHERE q.delivery_id = waiting.id),
     nearer AS (
       UPDATE delivery d SET ${EARLIER('next_attempt_at')} FROM waiting WHERE d.id = waiting.id RETURNING d.id)
     SELECT (SELECT delivery_id FROM met ORDER BY delivery_id DESC LIMIT 1) AS last,
            (SELECT count(*) FROM met)::int AS count, (SELECT count(*) FROM nearer)::int AS moved`,
    [merchantId, seconds, metTo, heardAt, limit],
  )
  const { last, count, moved } = met!
  if (moved > 0) await wakeLanes(tx, [{ merchantId, isTest: true }])
  if (count < limit) {
    await query(tx, 'DELETE FROM sandbox_advance WHERE merchant_id = $1 AND version = $2', [merchantId, version])
    return { moved, isEnded: true }
  }
  await query(tx, 'UPDATE sandbox_advance SET met_to = $3 WHERE merchant_id = $1 AND version = $2', [
    merchantId,
    version,
    last,
  ])
  return { moved, isEnded: false }
}
