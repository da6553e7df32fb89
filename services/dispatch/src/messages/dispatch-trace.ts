import type { GetDispatchTraceResponse } from '@svc/contracts/dispatch/v1/assignment_service'
import type { Round } from '../db/rounds.ts'
import type { ShownOffer } from '../db/shown-offers.ts'
import { offerMessage } from './offer.ts'

/** Why each rider was asked or left out, round by round. */
export interface DispatchTrace {
  orderId: string
  rounds: readonly Round[]
  /** Those that riders saw, by rank. */
  offers: readonly ShownOffer[]
}

export const dispatchTraceMessage = ({ orderId, rounds, offers }: DispatchTrace): GetDispatchTraceResponse => ({
  order_id: orderId,
  rounds: rounds.map(({ round, radiusM, startedAt, candidates }) => ({
    round,
    radius_m: radiusM,
    started_at: startedAt.toISOString(),
    candidates,
    offers: offers.filter(({ offer }) => offer.round === round).map(offerMessage),
  })),
})
