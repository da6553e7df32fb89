import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import type { Call, Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { countActiveOrders, syncActiveRiders } from '../../db/active-riders.ts'
import { lockRider } from '../../db/lock-rider.ts'
import { insertOffer, offersOf } from '../../db/offers.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'
import { type Job, jobAfter } from '../../domain/job.ts'
import type { Offer, OfferActor } from '../../domain/offer.ts'
import { isTerminal } from '../../domain/terminal.ts'
import { lease } from './lease.ts'
import { rememberOrder } from './remember-order.ts'
import { requireFunds } from './require-funds.ts'
import { orderOf, settleAssignment } from './settle-assignment.ts'

/** Others may decide on the order at the same time, one after the other. */
const TRIES = 40
const LONGEST_PAUSE_MS = 50
/** What one more try may take: whoever waits is told in time. */
const LAST_TRY_MS = 1_000

export interface Assignment {
  orderId: string
  /** Null: nobody. */
  riderId: string | null
  /** Operators name the merchant; for others the order service knows the tenant. */
  merchantId: string | null
}

export interface Assigned {
  order: Order
  previousRiderId?: string
}

/**
 * Gives the order to the rider, or takes it from its rider, whoever has it now; an acceptance that is under way is
 * finished first. The same rider again changes nothing.
 */
export async function assignRider(ctx: Context, call: Call, assignment: Assignment): Promise<Assigned> {
  let isFunded = false
  for (let tries = 1; tries <= TRIES; tries++) {
    const order = await freshOrder(ctx, call, assignment)
    isFunded ||= await isFundedFor(ctx, call, order, assignment.riderId)
    const assigned = await attempt(ctx, call, order, assignment)
    if (assigned) return assigned
    if (call.deadline.getTime() - Date.now() < LAST_TRY_MS) break
    await delay(Math.random() * LONGEST_PAUSE_MS)
  }
  const message = 'Others are giving the order to riders at this moment.'
  throw new ServiceError('invalid_state', { message, details: { reason: 'being_reassigned' } })
}

/** True once the merchant's wallet was found to bear it; false where nothing would change, so that nothing is asked. */
async function isFundedFor(ctx: Context, call: Call, order: Order, riderId: string | null): Promise<boolean> {
  if (riderId === null || order.rider?.id === riderId || isTerminal(order.status)) return false
  await requireFunds(ctx, call, jobAfter(null, order, new Date()), riderId)
  return true
}

/** Assigns by what the order was found to be; null when somebody else was faster. */
async function attempt(ctx: Context, call: Call, order: Order, assignment: Assignment): Promise<Assigned | null> {
  const begun = await ctx.transact('every tenant', (tx) => begin(ctx, tx, call.caller, order, assignment))
  ctx.failpoint('assignment begun')
  if (begun === 'unchanged') return { order }
  if (begun === 'outdated') return null
  const { outcome } = await settleAssignment(ctx, begun.offer, call)
  if (!begun.isOurs) return null
  if (outcome.reason === 'order_terminal') throw new ServiceError('order_terminal')
  return outcome.outcome === 'applied' ? { order: orderOf(outcome), previousRiderId: outcome.previous_rider_id } : null
}

/** The order as it is now; its service is the judge of who may see it. */
async function freshOrder(ctx: Context, call: Call, { orderId, merchantId }: Assignment): Promise<Order> {
  const { order } = await ctx.orders.as(call.caller, { within: call }).getOrder({ id: orderId })
  if (!order || (merchantId !== null && order.merchant_id !== merchantId)) throw new ServiceError('not_found')
  return order
}

async function begin(
  ctx: Context,
  tx: Tx,
  caller: Caller,
  order: Order,
  { riderId }: Assignment,
): Promise<'unchanged' | 'outdated' | { offer: Offer; isOurs: boolean }> {
  const job = await rememberOrder(ctx, tx, order)
  const underWay = (await offersOf(tx, job.orderId)).find(({ state }) => state === 'accepting')
  if (underWay) return { offer: underWay, isOurs: false }
  // What was judged of the order is of the version that was asked.
  if (job.orderVersion !== order.version) return 'outdated'
  if (job.riderId === riderId) return 'unchanged'
  if (isTerminal(job.status)) throw new ServiceError('order_terminal')
  if (riderId !== null) {
    const rider = requireRiderOf(job, await lockRider(tx, riderId))
    requireReady(rider, await countActiveOrders(tx, riderId, job.orderId), ctx.config)
  }
  const offer = manualOffer(job, riderId, actorOf(caller), riderId !== null && ctx.config.assignmentAutoAccept, tx.now)
  await insertOffer(tx, offer)
  await lease(tx, offer.id, { id: randomUUID() })
  await syncActiveRiders(tx, job)
  return { offer, isOurs: true }
}

const actorOf = ({ actor, actingFor, ip, requestId }: Caller): OfferActor => ({
  type: actor.type.startsWith('merchant') ? 'merchant' : actor.type,
  id: actor.id,
  on_behalf_of: actingFor,
  ip,
  request_id: requestId,
})

const manualOffer = (job: Job, riderId: string | null, actor: OfferActor, accept: boolean, now: Date): Offer => ({
  id: randomUUID(),
  orderId: job.orderId,
  riderId,
  merchantId: job.merchantId,
  isTest: job.isTest,
  kind: 'manual',
  state: 'accepting',
  round: job.round,
  rank: 0,
  scoreM: 0,
  distanceM: 0,
  loadPenaltyM: 0,
  assignmentVersion: job.assignmentVersion,
  actor,
  accept,
  lease: null,
  leaseUntil: null,
  expiresAt: now,
  createdAt: now,
  respondedAt: null,
})
