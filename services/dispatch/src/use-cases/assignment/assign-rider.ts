import { randomUUID } from 'node:crypto'
import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import type { Call, Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { countActiveOrders, syncActiveRiders } from '../../db/active-riders.ts'
import { lockRider } from '../../db/lock-rider.ts'
import { insertOffer, offersOf } from '../../db/offers.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'
import type { Job } from '../../domain/job.ts'
import type { Offer, OfferActor } from '../../domain/offer.ts'
import { isTerminal } from '../../domain/terminal.ts'
import { lease } from './lease.ts'
import { rememberOrder } from './remember-order.ts'
import { orderOf, settleAssignment } from './settle-assignment.ts'

const TRIES = 5

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
  for (let tries = 1; tries <= TRIES; tries++) {
    const order = await freshOrder(ctx, call, assignment)
    const begun = await ctx.transact('every tenant', (tx) => begin(ctx, tx, call.caller, order, assignment))
    ctx.failpoint('assignment begun')
    if (begun === 'unchanged') return { order }
    const { outcome } = await settleAssignment(ctx, begun.offer, call)
    if (begun.isOurs && outcome.outcome === 'applied') {
      return { order: orderOf(outcome), previousRiderId: outcome.previous_rider_id }
    }
    if (begun.isOurs && outcome.reason === 'order_terminal') throw new ServiceError('order_terminal')
  }
  // Somebody else was faster each time.
  throw new ServiceError('service_unavailable')
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
): Promise<'unchanged' | { offer: Offer; isOurs: boolean }> {
  const job = await rememberOrder(ctx, tx, order)
  const underWay = (await offersOf(tx, job.orderId)).find(({ state }) => state === 'accepting')
  if (underWay) return { offer: underWay, isOurs: false }
  if (job.riderId === riderId && job.orderVersion === order.version) return 'unchanged'
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
