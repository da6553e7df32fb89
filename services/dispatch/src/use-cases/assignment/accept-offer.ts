import { randomUUID } from 'node:crypto'
import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import type { Call, Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { countActiveOrders, syncActiveRiders } from '../../db/active-riders.ts'
import { JOB, lockJob } from '../../db/jobs.ts'
import { lockRider } from '../../db/lock-rider.ts'
import { findOffer, offersOf } from '../../db/offers.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'
import type { Job } from '../../domain/job.ts'
import { type Offer, publicState } from '../../domain/offer.ts'
import { lease } from './lease.ts'
import { offerOfRider, reaches } from './offer-of-rider.ts'
import { requireFunds } from './require-funds.ts'
import { orderOf, settleAssignment } from './settle-assignment.ts'

/** Gives the order to the rider who says yes first; everybody else gets offer_unavailable. A repeat answers the same. */
export async function acceptOffer(ctx: Context, call: Call, offerId: string): Promise<{ offer: Offer; order: Order }> {
  await requireFundsOfOffer(ctx, call, offerId)
  const begun = await ctx.transact('every tenant', (tx) => beginAcceptance(ctx, tx, call.caller, offerId))
  ctx.failpoint('assignment begun')
  if (begun.state === 'accepted') {
    const { order } = await ctx.fulfilment.as(call.caller, { within: call }).getRiderOrder({ id: begun.orderId })
    return { offer: begun, order: order! }
  }
  const { offer, outcome } = await settleAssignment(ctx, begun, call)
  if (offer.state !== 'accepted') throw unavailable('withdrawn')
  return { offer, order: orderOf(outcome) }
}

/** Asks only about an offer that the rider may still answer: what has begun is past this gate. */
async function requireFundsOfOffer(ctx: Context, call: Call, offerId: string): Promise<void> {
  if (!ctx.wallet) return
  const { caller } = call
  const { rows } = await ctx.database.worker.query<Job>(
    `SELECT ${JOB} FROM dispatch_offers o JOIN dispatch_jobs j USING (order_id)
      WHERE o.id = $1 AND o.rider_id = $2 AND o.kind = 'auto' AND o.state = 'pending' AND o.expires_at > app_now()`,
    [offerId, caller.actor.id],
  )
  const order = rows[0]
  if (order && reaches(caller, order)) await requireFunds(ctx, call, order, caller.actor.id)
}

/** The offer as under way, or as accepted before by the same rider. Throws for every other one. */
async function beginAcceptance(ctx: Context, tx: Tx, caller: Caller, offerId: string): Promise<Offer> {
  const { orderId } = await offerOfRider(tx, caller, offerId)
  const job = (await lockJob(tx, orderId)) as Job
  const offer = (await findOffer(tx, offerId)) as Offer
  if (offer.state === 'accepted' || offer.state === 'accepting') return offer
  requireAnswerable(offer, tx.now)
  const rivals = await offersOf(tx, orderId)
  if (rivals.some(({ state }) => state === 'accepting' || state === 'accepted')) throw unavailable('withdrawn')

  const rider = requireRiderOf(job, await lockRider(tx, caller.actor.id))
  requireReady(rider, await countActiveOrders(tx, rider.id, orderId), ctx.config)
  const { actor, ip, requestId } = caller
  const by = JSON.stringify({ type: actor.type, id: actor.id, ip, request_id: requestId })
  await lease(tx, offerId, { id: randomUUID(), actor: by })
  await syncActiveRiders(tx, job)
  return { ...offer, state: 'accepting', actor: { type: actor.type, id: actor.id, request_id: requestId } }
}

/** Throws offer_expired or offer_unavailable unless the rider may still answer. */
export function requireAnswerable(offer: Offer, now: Date): void {
  const state = publicState(offer, now)
  if (state === 'expired') throw new ServiceError('offer_expired')
  if (offer.state !== 'pending') throw unavailable(state)
}

const unavailable = (status: string) => new ServiceError('offer_unavailable', { details: { status } })
