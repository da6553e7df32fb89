import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type Candidate, score } from './candidate.ts'
import type { DispatchRules } from './dispatch-rules.ts'
import type { Job } from './job.ts'

/** accepting: under way between a yes and the order's answer; others see it as pending. */
export type OfferState = 'pending' | 'accepting' | 'accepted' | 'declined' | 'expired' | 'withdrawn'

/** Who assigned a rider, for the records. */
export interface OfferActor {
  type: string
  id: string
  on_behalf_of?: string
  ip?: string
  request_id?: string
}

/** An order put to a rider, or given to one by a merchant or an operator. */
export interface Offer {
  id: string
  orderId: string
  /** Null: the order is taken from its rider. */
  riderId: string | null
  merchantId: string
  isTest: boolean
  kind: 'auto' | 'manual'
  state: OfferState
  round: number
  rank: number
  scoreM: number
  distanceM: number
  loadPenaltyM: number
  /** The fence: the order's assignment_version when the offer was made. */
  assignmentVersion: number
  actor: OfferActor | null
  /** The order is accepted by it. */
  accept: boolean
  lease: string | null
  leaseUntil: Date | null
  expiresAt: Date
  createdAt: Date
  respondedAt: Date | null
}

/** The offers that a rider's token reaches: the sandbox rider's those of the merchant it is bound to, others all but tests. */
export interface Reach {
  riderId: string
  isTest: boolean
  merchantId: string | null
}

/** The reach of the rider who calls. */
export const reachOf = ({ actor, isTest, merchantId }: RidersToken): Reach => ({
  riderId: actor.id,
  isTest: isTest === true,
  merchantId: merchantId ?? null,
})

interface RidersToken {
  actor: { id: string }
  isTest: boolean | null
  merchantId?: string
}

/** Whether the rider may still answer. */
export const isOpen = (offer: Offer, now: Date): boolean => offer.state === 'pending' && offer.expiresAt > now

/** The state as riders and merchants know it. */
export function publicState(offer: Offer, now: Date): string {
  if (offer.state === 'accepting') return 'pending'
  return offer.state === 'pending' && offer.expiresAt <= now ? 'expired' : offer.state
}

/** Throws offer_expired or offer_unavailable unless the rider may still answer. */
export function requireAnswerable(offer: Offer, now: Date): void {
  const state = publicState(offer, now)
  if (state === 'expired') throw new ServiceError('offer_expired')
  if (offer.state !== 'pending') throw offerUnavailable(state)
}

export const offerUnavailable = (status: string): ServiceError =>
  new ServiceError('offer_unavailable', { details: { status } })

/** The order of the job put to a rider, for a short time. */
export function offerTo(candidate: Candidate, job: Job, rank: number, rules: DispatchRules, now: Date): Offer {
  const { scoreM, parts } = score(candidate, rules.loadPenaltyM)
  return {
    id: randomUUID(),
    orderId: job.orderId,
    riderId: candidate.riderId,
    merchantId: job.merchantId,
    isTest: job.isTest,
    kind: 'auto',
    state: 'pending',
    round: job.round,
    rank,
    scoreM,
    distanceM: parts.distance_m,
    loadPenaltyM: parts.load_penalty_m,
    assignmentVersion: job.assignmentVersion,
    actor: null,
    accept: true,
    lease: null,
    leaseUntil: null,
    expiresAt: new Date(now.getTime() + rules.offerTtlMs),
    createdAt: now,
    respondedAt: null,
  }
}

/** The order of the job given to a rider by hand, or taken from its rider; it is under way from the beginning. */
export const manualOffer = (
  job: Job,
  riderId: string | null,
  actor: OfferActor,
  accept: boolean,
  now: Date,
): Offer => ({
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
