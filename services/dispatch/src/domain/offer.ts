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

/** True while the rider may still answer. */
export const isOpen = (offer: Offer, now: Date): boolean => offer.state === 'pending' && offer.expiresAt > now

/** The state as riders and merchants know it. */
export function publicState(offer: Offer, now: Date): string {
  if (offer.state === 'accepting') return 'pending'
  return offer.state === 'pending' && offer.expiresAt <= now ? 'expired' : offer.state
}
