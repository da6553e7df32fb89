import { setTimeout as delay } from 'node:timers/promises'
import type { Requester } from '@svc/contracts/dispatch/v1/assignment_service'
import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import { type By, systemCaller } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { countActiveOrders, syncActiveRiders } from '../../db/active-riders.ts'
import { insertOffers, leaseOffer, offersOf } from '../../db/offers.ts'
import { lockRider } from '../../db/riders.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'
import { jobAfter } from '../../domain/job.ts'
import { manualOffer, type Offer, type OfferActor } from '../../domain/offer.ts'
import { isTerminal } from '../../domain/terminal.ts'
import { finishAssignment, orderOf, requireFunds } from './commit.ts'
import { rememberOrder } from './remember-order.ts'

/** Others may decide on the order at the same time, one after the other. */
const TRIES = 40
const LONGEST_PAUSE_MS = 50
/** What one more try may take: the caller is told in time. */
const LAST_TRY_MS = 1_000

export interface Wish {
  orderId: string
  /** Null: the order is taken from its rider. */
  riderId: string | null
  /** Operators name the merchant of the order. */
  merchantId: string | null
  /** Who asked for it, where the order service carries out what a creation asked for. */
  requester: Requester | null
}

export interface Assigned {
  order: Order
  previousRiderId?: string
}

/**
 * Gives the order to the rider, or takes it from the rider who has it now; an acceptance that is under way is finished
 * first. The same rider again changes nothing.
 */
export async function assignRider(ctx: Context, by: By, wish: Wish): Promise<Assigned> {
  let isFunded = false
  for (let tries = 1; tries <= TRIES; tries++) {
    const order = await freshOrder(ctx, by, wish)
    isFunded ||= await isFundedFor(ctx, by, order, wish.riderId)
    const assigned = await attempt(ctx, by, order, wish)
    if (assigned) {
      ctx.dispatcher.wake()
      return assigned
    }
    if (by.deadline.getTime() - Date.now() < LAST_TRY_MS) break
    await delay(Math.random() * LONGEST_PAUSE_MS)
  }
  const message = 'Others are giving the order to riders at this moment.'
  throw new ServiceError('invalid_state', { message, details: { reason: 'being_reassigned' } })
}

/** True once the merchant's wallet was found to bear it; false where nothing would change, so that nothing is asked. */
async function isFundedFor(ctx: Context, by: By, order: Order, riderId: string | null): Promise<boolean> {
  if (riderId === null || order.rider?.id === riderId || isTerminal(order.status)) return false
  await requireFunds(ctx, by, jobAfter(null, order, new Date()), riderId)
  return true
}

/** Assigns by what the order was found to be; null when another change was faster. */
async function attempt(ctx: Context, by: By, order: Order, wish: Wish): Promise<Assigned | null> {
  const begun = await ctx.transact('every tenant', (tx) => begin(ctx, tx, by, order, wish))
  ctx.failpoint('assignment begun')
  if (begun === 'unchanged') return { order }
  if (begun === 'outdated') return null
  const { answer } = await finishAssignment(ctx, begun.offer, by)
  if (!begun.isOurs) return null
  if (answer.reason === 'order_terminal') throw new ServiceError('order_terminal')
  return answer.outcome === 'applied' ? { order: orderOf(answer), previousRiderId: answer.previous_rider_id } : null
}

/** The order as it is now; its service is the judge of who may see it. */
async function freshOrder(ctx: Context, by: By, { orderId, merchantId }: Wish): Promise<Order> {
  const { order } = await (by.caller.kind === 'system'
    ? ctx.fulfilment.as(systemCaller('dispatch', by.caller.requestId), { within: by }).getRiderOrder({ id: orderId })
    : ctx.orders.as(by.caller, { within: by }).getOrder({ id: orderId }))
  const isNamed = by.scope === 'every tenant' && merchantId !== null
  if (!order || (isNamed && order.merchant_id !== merchantId)) throw new ServiceError('not_found')
  return order
}

async function begin(
  ctx: Context,
  tx: Tx,
  by: By,
  order: Order,
  wish: Wish,
): Promise<'unchanged' | 'outdated' | { offer: Offer; isOurs: boolean }> {
  const { riderId } = wish
  const job = await rememberOrder(ctx, tx, order)
  const underWay = (await offersOf(tx, [job.orderId])).find(({ state }) => state === 'accepting')
  if (underWay) return { offer: underWay, isOurs: false }
  // What was judged of the order is of the version that was asked.
  if (job.orderVersion !== order.version) return 'outdated'
  if (job.riderId === riderId) return 'unchanged'
  if (isTerminal(job.status)) throw new ServiceError('order_terminal')
  if (riderId !== null) {
    const rider = requireRiderOf(job, await lockRider(tx, riderId))
    requireReady(rider, await countActiveOrders(tx, riderId, job), ctx.config)
  }
  const offer = manualOffer(
    job,
    riderId,
    actorOf(by, wish),
    riderId !== null && ctx.config.assignmentAutoAccept,
    tx.now,
  )
  await insertOffers(tx, [offer])
  await leaseOffer(tx, offer.id)
  await syncActiveRiders(tx, job)
  return { offer, isOurs: true }
}

/** Only a service of ours says who asked for it; people are who they are. */
function actorOf({ caller }: By, { requester }: Wish): OfferActor {
  const { actor, actingFor, ip, requestId } = caller
  const asked =
    caller.kind === 'system' && requester
      ? { type: requester.actor_type, id: requester.actor_id, on_behalf_of: requester.on_behalf_of }
      : { type: actor.type, id: actor.id, on_behalf_of: actingFor }
  return { ...asked, type: asked.type.startsWith('merchant') ? 'merchant' : asked.type, ip, request_id: requestId }
}
