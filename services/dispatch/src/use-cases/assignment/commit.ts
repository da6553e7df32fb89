import type { CommitAssignmentResponse } from '@svc/contracts/order/v1/fulfilment_service'
import type { Order, Rider } from '@svc/contracts/order/v1/order'
import { ERRORS, ServiceError } from '@svc/errors'
import { type By, systemCaller } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { syncActiveRiders } from '../../db/active-riders.ts'
import { lockJob, saveJob } from '../../db/jobs.ts'
import { deliversByOwnFleet } from '../../db/merchants.ts'
import { acceptOnly, claimAbandonedOffer, findOffer, setOfferState } from '../../db/offers.ts'
import { findRider } from '../../db/riders.ts'
import type { Job } from '../../domain/job.ts'
import type { Offer, OfferActor } from '../../domain/offer.ts'
import { type Delivery, requiredFunds } from '../../domain/required-funds.ts'
import { rememberOrder } from './remember-order.ts'

const DEADLINE_MS = 4_000

/**
 * Returns if the merchant's wallet bears that this rider carries the order; riders of its fleet cost nothing. Throws
 * insufficient_wallet_for_freelancer_order, and service_unavailable while the wallet cannot be asked. The question takes
 * its time: hold no lock.
 */
export async function requireFunds(ctx: Context, by: By, order: Delivery, riderId: string): Promise<void> {
  const { wallet, config, database } = ctx
  if ((await findRider(database, riderId))?.riderType !== 'freelancer') return
  const isOwnFleet = await deliversByOwnFleet(database, order.merchantId)
  const required = requiredFunds(order, isOwnFleet, config.staticWalletFloorMinor)
  if (required === 0) return
  const funds = await wallet.checkFunds(order, required, by)
  if (!funds || funds.sufficient) return
  const { required_minor, balance_minor } = funds
  throw new ServiceError('insufficient_wallet_for_freelancer_order', { details: { required_minor, balance_minor } })
}

export interface Finished {
  /** As it is afterwards. */
  offer: Offer
  answer: CommitAssignmentResponse
}

/**
 * Brings an assignment under way to its end: asks the order, which decides once for all repeats, and records what it
 * said. Any process that finds one unfinished may call it. Throws while the order cannot be asked; the assignment stays
 * under way.
 */
export async function finishAssignment(ctx: Context, offer: Offer, within?: By): Promise<Finished> {
  const answer = await askOrder(ctx, offer, within)
  ctx.failpoint('assignment committed')
  const finished = await ctx.transact('every tenant', (tx) => record(ctx, tx, offer, answer))
  ctx.failpoint('assignment finished')
  return { offer: finished, answer }
}

/** Finishes the assignment whose lease ended first; false when none is left unfinished. */
export async function takeOverAssignment(ctx: Context): Promise<boolean> {
  const abandoned = await ctx.transact('every tenant', claimAbandonedOffer)
  if (!abandoned) return false
  await finishAssignment(ctx, abandoned)
  return true
}

/** The order that an answer is about. */
export function orderOf({ order }: CommitAssignmentResponse): Order {
  if (!order) throw new ServiceError('not_found')
  return order
}

async function askOrder(
  ctx: Context,
  { id, orderId, riderId, assignmentVersion, accept, actor }: Offer,
  within?: By,
): Promise<CommitAssignmentResponse> {
  const caller = systemCaller('dispatch', actor?.request_id)
  try {
    return await ctx.fulfilment.as(caller, { deadlineMs: DEADLINE_MS, within }).commitAssignment({
      order_id: orderId,
      rider: riderId === null ? undefined : await riderSummary(ctx, riderId),
      op_key: `offer:${id}`,
      expected_assignment_version: assignmentVersion,
      accept,
      actor_type: actor?.type ?? 'system',
      actor_id: actor?.id ?? 'dispatch',
    })
  } catch (error) {
    // A refusal is an answer; an order that is gone takes no rider.
    if (!(error instanceof ServiceError) || ERRORS[error.code].http >= 500) throw error
    ctx.logger.warn({ err: error, order_id: orderId }, 'the order refused an assignment')
    return { outcome: 'lost', reason: error.code === 'not_found' ? 'order_terminal' : error.code, order: undefined }
  }
}

async function record(ctx: Context, tx: Tx, offer: Offer, answer: CommitAssignmentResponse): Promise<Offer> {
  const job = answer.order ? await rememberOrder(ctx, tx, answer.order) : await lockJob(tx, offer.orderId)
  const current = await findOffer(tx, offer.id)
  if (!job || !current || current.state !== 'accepting') return current ?? offer
  const isApplied = answer.outcome === 'applied'
  // The order may have gone on to another rider since.
  if (isApplied && offer.riderId !== null && job.riderId === offer.riderId) await acceptOnly(tx, offer)
  else await setOfferState(tx, [offer.id], 'withdrawn')
  await syncActiveRiders(tx, job)
  await saveJob(tx, { ...job, nextAt: tx.now })
  if (isApplied && offer.actor?.type === 'admin')
    tx.publish(assignmentAudit(offer.actor, offer, job, answer.previous_rider_id))
  return (await findOffer(tx, offer.id)) as Offer
}

function assignmentAudit(
  { id, on_behalf_of: actingFor, ip, request_id: requestId }: OfferActor,
  { riderId }: Offer,
  { merchantId, isTest, orderId }: Job,
  previous: string | undefined,
) {
  const operator = { actor: { type: 'admin', id }, actingFor, ip, requestId }
  return auditOf(operator, {
    action: 'order.admin_assign',
    resourceType: 'order',
    resourceId: orderId,
    merchantId,
    isTest,
    before: { rider_id: previous ?? null },
    after: { rider_id: riderId },
  })
}

/** What a merchant may know of the rider. */
async function riderSummary({ database }: Context, riderId: string): Promise<Rider> {
  const { id, name, phone, vehicleType } = (await findRider(database, riderId))!
  return { id, name, phone, vehicle_type: vehicleType }
}
