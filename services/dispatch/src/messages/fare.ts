import type { Fare } from '@svc/contracts/dispatch/v1/pricing_service'
import type { Price } from '../domain/fare.ts'
import type { Parcel } from '../domain/parcel.ts'
import type { RateCard } from '../domain/rate-card.ts'
import type { Leg } from '../domain/travel.ts'

/** A fare with all that led to it; also what a quote keeps. */
export function fareMessage(fare: { card: RateCard; parcel: Parcel; leg: Leg; price: Price }): Fare {
  const { card, parcel, leg, price } = fare
  return {
    currency: card.currency,
    fee_minor: price.feeMinor,
    breakdown: price.lines.map(({ code, label, amountMinor }) => ({ code, label, amount_minor: amountMinor })),
    distance_m: leg.metres,
    duration_s: leg.seconds,
    distance_source: leg.source,
    vehicle_type: parcel.vehicle,
    rate_card_id: card.id,
    rate_card_name: card.name,
    rate_card_version: card.version,
  }
}
