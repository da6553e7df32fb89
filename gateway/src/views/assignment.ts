import type {
  AssignRiderResponse,
  DispatchCandidate,
  DispatchOffer,
  DispatchRound,
  GetDispatchTraceResponse,
  ScoreParts,
  Stop,
  TracedCandidate,
} from '@svc/contracts/dispatch/v1/assignment_service'
import type { NearRider } from '@svc/contracts/dispatch/v1/position_service'
import { orNull, present } from './or-null.ts'
import { orderView } from './order.ts'

export const assignmentView = (assigned: AssignRiderResponse): Record<string, unknown> => ({
  order: orderView(present(assigned.order)),
  previous_rider_id: orNull(assigned.previous_rider_id),
})

const scorePartsView = ({ distance_m, load_penalty_m }: ScoreParts) => ({ distance_m, load_penalty_m })

const stopView = ({ address, point }: Stop) => ({ address, lat: orNull(point?.lat), lng: orNull(point?.lng) })

export const offerView = (offer: DispatchOffer): Record<string, unknown> => ({
  id: offer.id,
  order_id: offer.order_id,
  rider_id: offer.rider_id,
  status: offer.status,
  round: offer.round,
  rank: offer.rank,
  score_m: offer.score_m,
  distance_m: offer.distance_m,
  score_parts: scorePartsView(present(offer.score_parts)),
  payout_minor: orNull(offer.payout_minor),
  currency: offer.currency,
  pickup: stopView(present(offer.pickup)),
  dropoff: stopView(present(offer.dropoff)),
  expires_at: offer.expires_at,
  created_at: offer.created_at,
  responded_at: orNull(offer.responded_at),
})

export const nearRiderView = (rider: NearRider): Record<string, unknown> => ({
  rider_id: rider.rider_id,
  name: rider.name,
  phone: rider.phone,
  vehicle_type: rider.vehicle_type,
  lat: rider.lat,
  lng: rider.lng,
  distance_m: rider.distance_m,
  is_online: rider.is_online,
  location_age_seconds: rider.location_age_seconds,
})

export const candidateView = (candidate: DispatchCandidate): Record<string, unknown> => ({
  ...nearRiderView(candidate),
  active_orders: candidate.active_orders,
  score_m: candidate.score_m,
})

const tracedView = (traced: TracedCandidate) => ({
  rider_id: traced.rider_id,
  included: traced.included,
  rank: orNull(traced.rank),
  reason: orNull(traced.reason),
  distance_m: orNull(traced.distance_m),
  score_m: orNull(traced.score_m),
  score_parts: traced.score_parts ? scorePartsView(traced.score_parts) : null,
})

const roundView = (round: DispatchRound) => ({
  round: round.round,
  radius_m: round.radius_m,
  started_at: round.started_at,
  candidates: round.candidates.map(tracedView),
  offers: round.offers.map(offerView),
})

export const dispatchTraceView = (trace: GetDispatchTraceResponse): Record<string, unknown> => ({
  order_id: trace.order_id,
  rounds: trace.rounds.map(roundView),
})
