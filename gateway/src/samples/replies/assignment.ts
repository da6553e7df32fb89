import type { RpcReplies } from '../rpc-replies.ts'
import { order } from './order.ts'
import { at, id } from './pieces.ts'
import { near } from './position.ts'

const offer = {
  id,
  order_id: id,
  rider_id: id,
  status: 'pending',
  round: 1,
  rank: 2,
  score_m: 1312.5,
  distance_m: 812.5,
  score_parts: { distance_m: 812.5, load_penalty_m: 500 },
  payout_minor: 90_000,
  currency: 'NGN',
  cod_amount_minor: 250_000,
  cod_currency: 'NGN',
  pickup: { address: '12 Marina Road, Lagos', point: { lat: 6.4541, lng: 3.3947 } },
  dropoff: { address: '4 Admiralty Way, Lekki' },
  expires_at: at,
  created_at: at,
}

const round = {
  round: 1,
  radius_m: 3000,
  started_at: at,
  candidates: [
    { rider_id: id, included: true, rank: 1, distance_m: 5, score_m: 5, score_parts: offer.score_parts },
    { rider_id: id, included: false, reason: 'offline' },
  ],
  offers: [offer],
}

export const assignmentReplies = {
  assignRider: { order, previous_rider_id: id },
  listDispatchCandidates: { candidates: [{ ...near, active_orders: 1, score_m: 1312.5 }] },
  getDispatchTrace: { order_id: id, rounds: [round] },
  listDispatchOffers: { offers: [offer] },
  acceptDispatchOffer: { offer: { ...offer, status: 'accepted', responded_at: at }, order },
  declineDispatchOffer: { offer: { ...offer, status: 'declined', responded_at: at } },
} satisfies Partial<RpcReplies>
