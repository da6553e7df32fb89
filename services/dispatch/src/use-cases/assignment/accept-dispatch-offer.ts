import type { Order } from '@svc/contracts/order/v1/order'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { countActiveOrders, syncActiveRiders } from '../../db/active-riders.ts'
import { lockJob } from '../../db/jobs.ts'
import { findOffer, findOpenlyOfferedJob, findReachedOffer, leaseOffer, offersOf } from '../../db/offers.ts'
import { cashOf } from '../../db/rider-cash.ts'
import { lockRider } from '../../db/riders.ts'
import { type ShownOffer, withJobs } from '../../db/shown-offers.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'
import { isAboveCap } from '../../domain/candidate.ts'
import type { Job } from '../../domain/job.ts'
import { type Offer, type OfferActor, offerUnavailable, reachOf, requireAnswerable } from '../../domain/offer.ts'
import { riderOrder } from '../../peers/carried-order.ts'
import { finishAssignment, orderOf, requireFunds } from './commit.ts'

export interface Acceptance {
  offer: ShownOffer
  order: Order
}

/** Gives the order to the first rider who says yes; the others get offer_unavailable. A repeat answers the same. */
export async function acceptDispatchOffer(ctx: Context, by: By, offerId: string): Promise<Acceptance> {
  await requireFundsOfOffer(ctx, by, offerId)
  const begun = await ctx.transact('every tenant', (tx) => beginAcceptance(ctx, tx, by, offerId))
  ctx.failpoint('assignment begun')
  if (begun.state === 'accepted') {
    return { offer: await shown(ctx, begun), order: await riderOrder(ctx, by, begun.orderId) }
  }
  const { offer, answer } = await finishAssignment(ctx, begun, by)
  if (offer.state !== 'accepted') throw offerUnavailable('withdrawn')
  return { offer: await shown(ctx, offer), order: orderOf(answer) }
}

const shown = async ({ database }: Context, offer: Offer): Promise<ShownOffer> =>
  (await withJobs(database, [offer]))[0] as ShownOffer

/** Asks only about an offer that the rider may still answer: what has begun is past this gate. */
async function requireFundsOfOffer(ctx: Context, by: By, offerId: string): Promise<void> {
  const order = await findOpenlyOfferedJob(ctx.database, reachOf(by.caller), offerId)
  if (order) await requireFunds(ctx, by, order, by.caller.actor.id)
}

/** The offer as under way, or as accepted before by the same rider. Throws for every other one. */
async function beginAcceptance(ctx: Context, tx: Tx, { caller }: By, offerId: string): Promise<Offer> {
  const reached = await findReachedOffer(tx, reachOf(caller), offerId)
  if (!reached) throw new ServiceError('not_found')
  const { orderId } = reached
  const job = (await lockJob(tx, orderId)) as Job
  const offer = (await findOffer(tx, offerId)) as Offer
  if (offer.state === 'accepted' || offer.state === 'accepting') return offer
  requireAnswerable(offer, tx.now)
  const rivals = await offersOf(tx, [orderId])
  if (rivals.some(({ state }) => state === 'accepting' || state === 'accepted')) throw offerUnavailable('withdrawn')

  const rider = requireRiderOf(job, await lockRider(tx, caller.actor.id))
  requireReady(rider, await countActiveOrders(tx, rider.id, job), ctx.config)
  // Under the lock of the rider: of two acceptances the second sees what the first one has to collect.
  const { riderCodCapMinor: capMinor = null } = ctx.config
  if (
    !job.isTest &&
    capMinor !== null &&
    isAboveCap(await cashOf(tx, rider.id, job), job.codAmountMinor ?? 0, capMinor)
  )
    throw new ServiceError('rider_unavailable', { details: { reason: 'cod_cap' } })
  const { actor, ip, requestId } = caller
  const accepting: OfferActor = { type: actor.type, id: actor.id, ip, request_id: requestId }
  await leaseOffer(tx, offerId, accepting)
  await syncActiveRiders(tx, job)
  return { ...offer, state: 'accepting', actor: accepting }
}
