import type { Tx } from '@svc/transact'
import { SIMULATOR_STEPS } from '../domain/simulator.ts'

/** One step of an automatic order that is to fire, has fired, or has nothing left to do. */
export interface SimTimer {
  step: number
  firesAt: Date
}

interface Started {
  orderId: string
  merchantId: string
  createdAt: Date
  stepDelayMs: number
}

/** Adds the timers of an automatic order, one step delay apart from its creation on. */
export async function addTimers(tx: Tx, { orderId, merchantId, createdAt, stepDelayMs }: Started): Promise<SimTimer[]> {
  const timers = SIMULATOR_STEPS.map(({ step }) => ({
    step,
    firesAt: new Date(createdAt.getTime() + step * stepDelayMs),
  }))
  await tx.sql(
    `INSERT INTO sim_timer (order_id, merchant_id, step, fires_at)
     SELECT $1, $2, step, fires_at FROM unnest($3::smallint[], $4::timestamptz[]) AS t (step, fires_at)`,
    [orderId, merchantId, timers.map(({ step }) => step), timers.map(({ firesAt }) => firesAt)],
  )
  return timers
}

/** The timers of an order, in the order of their steps. */
export async function timersOf(tx: Tx, orderId: string): Promise<SimTimer[]> {
  const { rows } = await tx.sql<SimTimer>(
    'SELECT step, fires_at AS "firesAt" FROM sim_timer WHERE order_id = $1 AND scenario IS NULL ORDER BY step',
    [orderId],
  )
  return rows
}

/** Ends the timers that have not fired, but for the step of a scenario that is under way. The caller holds the lock of the order. */
export async function closeTimers(tx: Tx, orderId: string): Promise<void> {
  await tx.sql(`UPDATE sim_timer SET state = 'skipped' WHERE order_id = $1 AND state = 'pending' AND lease IS NULL`, [
    orderId,
  ])
}

/**
 * How many orders of the merchant have timers that have not fired. Two transactions that ask for the same merchant take
 * turns until the first has ended, so that they cannot both take the last place.
 */
export async function countOpenOrders(tx: Tx, merchantId: string): Promise<number> {
  await tx.sql('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sim_timer:${merchantId}`])
  const { rows } = await tx.sql<{ open: number }>(
    `SELECT count(DISTINCT order_id)::int AS open FROM sim_timer WHERE merchant_id = $1 AND state = 'pending'`,
    [merchantId],
  )
  return rows[0]?.open ?? 0
}

/**
 * Locks the order of the timer that has been due longest, or the given one when it has a timer due; null when each
 * is locked or none is due. The timers of an order change only under this lock.
 */
export async function claimDueOrder(tx: Tx, orderId: string | undefined): Promise<string | null> {
  const { rows } = await tx.sql<{ id: string }>(
    `SELECT o.id FROM sim_timer t JOIN orders o ON o.id = t.order_id
      WHERE t.state = 'pending' AND t.scenario IS NULL AND t.fires_at <= $1 ${orderId ? 'AND t.order_id = $2' : ''}
      ORDER BY t.fires_at, t.step LIMIT 1 FOR UPDATE OF o SKIP LOCKED`,
    orderId ? [tx.now, orderId] : [tx.now],
  )
  return rows[0]?.id ?? null
}

/** The step of the earliest timer that has not fired, when it is due; read afresh under the lock of the order. */
export async function dueStep(tx: Tx, orderId: string): Promise<number | null> {
  const { rows } = await tx.sql<SimTimer>(
    `SELECT step, fires_at AS "firesAt" FROM sim_timer
      WHERE order_id = $1 AND scenario IS NULL AND state = 'pending' ORDER BY step LIMIT 1`,
    [orderId],
  )
  const [timer] = rows
  return timer && timer.firesAt <= tx.now ? timer.step : null
}

/** Ends one timer. The caller holds the lock of the order. */
export async function endTimer(
  tx: Tx,
  { orderId, step, state }: { orderId: string; step: number; state: 'done' | 'skipped' },
): Promise<void> {
  await tx.sql('UPDATE sim_timer SET state = $3 WHERE order_id = $1 AND step = $2', [orderId, step, state])
}

/** Milliseconds until the next timer of any automatic order is due; null when none is open. */
export async function nextDueInMs(tx: Tx): Promise<number | null> {
  const { rows } = await tx.sql<{ at: Date | null }>(
    `SELECT min(fires_at) AS at FROM sim_timer WHERE state = 'pending' AND scenario IS NULL`,
  )
  const at = rows[0]?.at
  return at ? at.getTime() - tx.now.getTime() : null
}
