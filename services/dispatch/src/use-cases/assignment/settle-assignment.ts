import type { CommitAssignmentResponse } from '@svc/contracts/order/v1/fulfilment_service'
import type { Order, Rider } from '@svc/contracts/order/v1/order'
import { ERRORS, ServiceError } from '@svc/errors'
import { type Call, systemCaller } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { syncActiveRiders } from '../../db/active-riders.ts'
import { lockJob, saveJob } from '../../db/jobs.ts'
import { findOffer, setOfferState } from '../../db/offers.ts'
import type { Job } from '../../domain/job.ts'
import type { Offer, OfferActor } from '../../domain/offer.ts'
import { rememberOrder } from './remember-order.ts'

const DEADLINE_MS = 4_000

export interface Settled {
  /** As it is afterwards. */
  offer: Offer
  /** What the order answered. */
  outcome: CommitAssignmentResponse
}

/**
 * Brings an assignment under way to its end: asks the order, which decides once for all repeats, and records what it
 * said. Whoever finds one unfinished may call it. Throws while the order cannot be asked; the assignment stays under way.
 */
export async function settleAssignment(
  ctx: Context,
  offer: Offer,
  within?: Pick<Call, 'deadline' | 'signal'>,
): Promise<Settled> {
  const outcome = await commit(ctx, offer, within)
  ctx.failpoint('assignment committed')
  const settled = await ctx.transact('every tenant', (tx) => finish(ctx, tx, offer, outcome))
  ctx.failpoint('assignment finished')
  return { offer: settled, outcome }
}

async function commit(
  ctx: Context,
  { id, orderId, riderId, assignmentVersion, accept, actor }: Offer,
  within?: Pick<Call, 'deadline' | 'signal'>,
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
    // A refusal is an answer; an order that is gone takes nobody.
    if (!(error instanceof ServiceError) || ERRORS[error.code].http >= 500) throw error
    ctx.logger.warn({ err: error, order_id: orderId }, 'the order refused an assignment')
    return { outcome: 'lost', reason: error.code === 'not_found' ? 'order_terminal' : error.code, order: undefined }
  }
}

async function finish(ctx: Context, tx: Tx, offer: Offer, outcome: CommitAssignmentResponse): Promise<Offer> {
  const job = outcome.order ? await rememberOrder(ctx, tx, outcome.order) : await lockJob(tx, offer.orderId)
  const current = await findOffer(tx, offer.id)
  if (!job || !current || current.state !== 'accepting') return current ?? offer
  const isApplied = outcome.outcome === 'applied'
  // The order may have gone on to another rider since.
  if (isApplied && offer.riderId !== null && job.riderId === offer.riderId) await win(tx, offer)
  else await setOfferState(tx, [offer.id], 'withdrawn')
  await syncActiveRiders(tx, job)
  await saveJob(tx, { ...job, nextAt: tx.now })
  if (isApplied && offer.actor?.type === 'admin')
    tx.publish(assignmentAudit(offer.actor, offer, job, outcome.previous_rider_id))
  return (await findOffer(tx, offer.id)) as Offer
}

async function win(tx: Tx, offer: Offer): Promise<void> {
  await tx.sql(`UPDATE dispatch_offers SET state = 'withdrawn' WHERE order_id = $1 AND state = 'accepted'`, [
    offer.orderId,
  ])
  await setOfferState(tx, [offer.id], 'accepted')
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
async function riderSummary(ctx: Context, riderId: string): Promise<Rider> {
  const { rows } = await ctx.database.worker.query<Rider>(
    'SELECT id, name, phone, vehicle_type FROM riders WHERE id = $1',
    [riderId],
  )
  return rows[0] as Rider
}

/** The order that an outcome is about. */
export function orderOf({ order }: CommitAssignmentResponse): Order {
  if (!order) throw new ServiceError('not_found')
  return order
}
