import type { Order } from '@svc/contracts/order/v1/order'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { syncActiveRiders } from '../../db/active-riders.ts'
import { insertJob, insertJobs, lockJob, saveJob } from '../../db/jobs.ts'
import { isWaiting, type Job, jobAfter, lookAt } from '../../domain/job.ts'
import { followOrder } from '../progress/follow-order.ts'

/**
 * Takes over an order as it was at that version, and all that follows from it: offers that no longer stand, who is busy,
 * estimates. An older version changes nothing. Answers the job as it is now, locked.
 */
export async function rememberOrder(
  ctx: Pick<Context, 'config' | 'realtime'>,
  tx: Tx,
  order: Order,
  at: Date = tx.now,
): Promise<Job> {
  let previous = await lockJob(tx, order.id)
  if (!previous) {
    const first = firstJob(order, at, tx.now)
    const isNew = await insertJob(tx, first)
    if (isNew && !first.riderId) return first
    if (!isNew) previous = await lockJob(tx, order.id)
  }
  if (previous && previous.orderVersion >= order.version) return previous

  const after = jobAfter(previous, order, at)
  const heard = previous && !isStirred(previous, after) ? after : { ...after, nextAt: lookAt(after, tx.now) }
  await withdrawOffers(tx, heard)
  await syncActiveRiders(tx, heard)
  const job = await followOrder(ctx, tx, previous, heard)
  await saveJob(tx, job)
  if (previous && previous.status !== job.status) {
    const updated_at = order.updated_at ?? at.toISOString()
    const value = { order_id: job.orderId, status: job.status, updated_at }
    tx.afterCommit(() => ctx.realtime.publish({ $case: 'tracking_changed', value }))
  }
  return job
}

/** Takes over orders that nobody has heard of before; of the others nothing changes. */
export async function rememberNewOrders(tx: Tx, heard: ReadonlyArray<{ order: Order; at: Date }>): Promise<void> {
  await insertJobs(
    tx,
    heard.map(({ order, at }) => firstJob(order, at, tx.now)),
  )
}

function firstJob(order: Order, at: Date, now: Date): Job {
  const job = jobAfter(null, order, at)
  return { ...job, nextAt: lookAt(job, now) }
}

/** Whether the search is concerned: it goes by its own times as long as the order waits for the same. */
const isStirred = (before: Job, after: Job): boolean =>
  before.status !== after.status ||
  before.riderId !== after.riderId ||
  before.assignmentVersion !== after.assignmentVersion

/** Offers stand while the order waits as it did when they were made; an accepted one while its rider has the order. */
async function withdrawOffers(tx: Tx, job: Job): Promise<void> {
  await tx.sql(
    `UPDATE dispatch_offers SET state = 'withdrawn'
      WHERE order_id = $1 AND (
        state = 'pending' AND NOT ($2 AND assignment_version = $3)
        OR state = 'accepted' AND rider_id IS DISTINCT FROM $4)`,
    [job.orderId, isWaiting(job), job.assignmentVersion, job.riderId],
  )
}
