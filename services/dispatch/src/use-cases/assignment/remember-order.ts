import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { syncActiveRiders } from '../../db/active-riders.ts'
import { findJob, insertJob, insertJobs, lockJob, saveJob } from '../../db/jobs.ts'
import { recordLeg } from '../../db/legs.ts'
import { withdrawOutdatedOffers } from '../../db/offers.ts'
import { addTold } from '../../db/rider-cash.ts'
import { riderOnTheWay } from '../../db/rider-on-the-way.ts'
import { noteCompletion } from '../../db/riders.ts'
import { catchUp } from '../../db/sandbox-clock.ts'
import { metresBetween } from '../../domain/distance.ts'
import { collectorOf, type Job, jobAfter, lookAt } from '../../domain/job.ts'
import { completedLeg } from '../../domain/leg.ts'
import { pickupOf } from '../../domain/progress.ts'
import { refreshEta } from '../progress/observe-moves.ts'
import { beginSearches } from './advance-searches.ts'

const DAY_MS = 86_400_000
/** Others wait for the transaction that takes them over. */
const SEARCHED_AT_ONCE = 40

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
    if (isNew && first.isTest) await catchUp(tx, [first])
    if (isNew && !first.riderId) return first.isTest ? ((await lockJob(tx, order.id)) ?? first) : first
    if (!isNew) previous = await lockJob(tx, order.id)
  }
  if (previous && previous.orderVersion >= order.version) return previous

  const after = jobAfter(previous, order, at)
  const heard = previous && !isStirred(previous, after) ? after : { ...after, nextAt: lookAt(after, tx.now) }
  await withdrawOutdatedOffers(tx, heard)
  await syncActiveRiders(tx, heard)
  await countCash(ctx, tx, previous, heard, order)
  const job = await followOrder(ctx, tx, previous, heard)
  await saveJob(tx, job)
  if (previous && previous.status !== job.status) {
    const updated_at = order.updated_at ?? at.toISOString()
    const value = { order_id: job.orderId, status: job.status, updated_at }
    tx.afterCommit(() => ctx.realtime.publish({ $case: 'tracking_changed', value }))
  }
  return job
}

/**
 * What was taken for a live order is in the hands of who took it from the moment in which the order counts no more, once:
 * an order that may have been forgotten meanwhile was counted before, or is once the wallet has booked it.
 */
async function countCash({ config }: Pick<Context, 'config'>, tx: Tx, before: Job | null, now: Job, order: Order) {
  const { isTest, merchantId, codCollectedMinor } = now
  if (isTest || codCollectedMinor === null || before?.codCollectedMinor) return
  const ageMs = tx.now.getTime() - now.orderCreatedAt.getTime()
  if (!before && ageMs > config.dispatchRetentionDays * DAY_MS) return
  const riderId = collectorOf(order)
  if (riderId) await addTold(tx, { riderId, merchantId, amountMinor: codCollectedMinor })
}

/**
 * Takes over orders of which nothing is known yet; of the others nothing changes. Riders of live ones that come together are
 * looked for at once. One that comes alone, as each does where they could not be stored together, is left to the worker,
 * which sets aside what cannot be dispatched; and so are test orders, whose clock is caught up with first, and what a backlog
 * brings. Answers whether anything is left to it.
 */
export async function rememberNewOrders(
  ctx: Pick<Context, 'config'>,
  tx: Tx,
  heard: ReadonlyArray<{ order: Order; at: Date }>,
): Promise<boolean> {
  const jobs = heard.map(({ order, at }) => firstJob(order, at, tx.now))
  const searchable = jobs.length > 1 ? jobs.filter(({ nextAt, isTest }) => nextAt !== null && !isTest) : []
  const atOnce = new Set(searchable.slice(0, SEARCHED_AT_ONCE))
  const others = jobs.filter((job) => !atOnce.has(job))
  const isOffered = await beginSearches(ctx, tx, [...atOnce])
  await insertJobs(tx, others)
  await catchUp(
    tx,
    others.filter(({ isTest }) => isTest),
  )
  return isOffered || others.some(({ nextAt }) => nextAt !== null)
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

/**
 * What is known of an order that the caller may see; one whose facts are still on the way is asked for. Operators see
 * every order.
 */
export async function jobOf(ctx: Context, by: By, orderId: string): Promise<Job> {
  const known = await findJob(ctx.database, by.scope, orderId)
  if (known) return known
  const { order } = await ctx.orders.as(by.caller, { within: by }).getOrder({ id: orderId })
  if (!order) throw new ServiceError('not_found')
  return ctx.transact('every tenant', (tx) => rememberOrder(ctx, tx, order))
}

/** What a change of the order means for legs, completions and estimates; answers the job to store. It is locked. */
async function followOrder(ctx: Pick<Context, 'config'>, tx: Tx, before: Job | null, now: Job): Promise<Job> {
  const rider = now.riderId && (await riderOnTheWay(tx, now.riderId))
  if (!rider) return now
  let job = now
  if (job.acceptedAt && !before?.acceptedAt) {
    const pickup = pickupOf(job)
    job = { ...job, pickupLegMetres: pickup && rider.position && metresBetween(rider.position, pickup) }
  }
  if (job.pickedUpAt && !before?.pickedUpAt) await learn(ctx, tx, job, 'pickup', rider.vehicleType)
  if (job.status === 'delivered' && before?.status !== 'delivered') {
    await learn(ctx, tx, job, 'dropoff', rider.vehicleType)
    await noteCompletion(tx, job.riderId as string)
  }
  return before?.status === job.status && before.riderId === job.riderId ? job : refreshEta(ctx, tx, job, rider)
}

/** Remembers how long the leg took that ends now, unless a position has shown its end before. */
async function learn(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  job: Job,
  which: 'pickup' | 'dropoff',
  vehicleType: Parameters<typeof recordLeg>[2],
): Promise<void> {
  const leg = completedLeg(job, which, tx.now, config.roadFactor)
  if (leg) await recordLeg(tx, job.orderId, vehicleType, leg)
}
