import type { EntityManager } from '@mikro-orm/postgresql'
import type { Tx } from '@svc/outbox'
import { SIMULATOR_STEPS } from '../domain/simulator.ts'
import { SimTimer } from './sim-timer-entity.ts'

interface Started {
  orderId: string
  merchantId: string
  createdAt: Date
  stepDelayMs: number
}

/** Adds the timers of an automatic order, one step delay apart from its creation on. */
export function addTimers(em: EntityManager, { orderId, merchantId, createdAt, stepDelayMs }: Started): SimTimer[] {
  return SIMULATOR_STEPS.map(({ step }) => {
    const firesAt = new Date(createdAt.getTime() + step * stepDelayMs)
    const timer = em.create(SimTimer, { orderId, step, merchantId, firesAt, state: 'pending' })
    em.persist(timer)
    return timer
  })
}

/** The timers of an order, in the order of their steps. */
export async function timersOf(em: EntityManager, orderId: string): Promise<SimTimer[]> {
  return em.find(SimTimer, { orderId }, { orderBy: { step: 'asc' } })
}

/** Ends the timers that have not fired. The caller holds the lock of the order. */
export async function closeTimers(em: EntityManager, orderId: string): Promise<void> {
  await em.nativeUpdate(SimTimer, { orderId, state: 'pending' }, { state: 'skipped' })
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
      WHERE t.state = 'pending' AND t.fires_at <= $1 ${orderId ? 'AND t.order_id = $2' : ''}
      ORDER BY t.fires_at, t.step LIMIT 1 FOR UPDATE OF o SKIP LOCKED`,
    orderId ? [tx.now, orderId] : [tx.now],
  )
  return rows[0]?.id ?? null
}

/** The earliest timer of the order that has not fired, when it is due; read afresh under the lock of the order. */
export async function dueTimer(tx: Tx, orderId: string): Promise<SimTimer | null> {
  const timer = await tx.em.findOne(SimTimer, { orderId, state: 'pending' }, { orderBy: { step: 'asc' } })
  return timer && timer.firesAt <= tx.now ? timer : null
}

/** Milliseconds until the next timer of any order is due; null when none is open. */
export async function nextDueInMs(tx: Tx): Promise<number | null> {
  const { rows } = await tx.sql<{ at: Date | null }>(
    `SELECT min(fires_at) AS at FROM sim_timer WHERE state = 'pending'`,
  )
  const at = rows[0]?.at
  return at ? at.getTime() - tx.now.getTime() : null
}
