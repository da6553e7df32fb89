import type { DispatchOffer } from '@svc/contracts/dispatch/v1/assignment_service'
import type { ShownOffer } from '../db/shown-offers.ts'
import { publicState } from '../domain/offer.ts'
import { dropoffOf, pickupOf } from '../domain/progress.ts'

/** An offer as riders and merchants see it. */
export const offerMessage = ({ offer, job, currency, now }: ShownOffer): DispatchOffer => ({
  id: offer.id,
  order_id: offer.orderId,
  rider_id: offer.riderId ?? '',
  status: publicState(offer, now),
  round: offer.round,
  rank: offer.rank,
  score_m: offer.scoreM,
  distance_m: offer.distanceM,
  score_parts: { distance_m: offer.distanceM, load_penalty_m: offer.loadPenaltyM },
  payout_minor: job.payoutMinor ?? undefined,
  currency: job.payoutCurrency ?? currency,
  ...(job.codAmountMinor && { cod_amount_minor: job.codAmountMinor, cod_currency: job.codCurrency ?? currency }),
  pickup: { address: job.pickupAddress, point: pickupOf(job) ?? undefined },
  dropoff: { address: job.dropoffAddress, point: dropoffOf(job) ?? undefined },
  expires_at: offer.expiresAt.toISOString(),
  created_at: offer.createdAt.toISOString(),
  responded_at: offer.respondedAt?.toISOString(),
})
