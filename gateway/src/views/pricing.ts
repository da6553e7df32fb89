import type {
  CreateQuoteResponse,
  Fare,
  PreviewFareResponse,
  QuoteFunds,
  RateCard,
} from '@svc/contracts/dispatch/v1/pricing_service'
import { orNull, present } from './or-null.ts'

export const rateCardView = (card: RateCard): Record<string, unknown> => ({
  id: card.id,
  version: card.version,
  name: card.name,
  merchant_id: orNull(card.merchant_id),
  currency: card.currency,
  vehicle_type: orNull(card.vehicle_type),
  active: card.active,
  base_minor: card.base_minor,
  per_km_minor: card.per_km_minor,
  per_kg_minor: card.per_kg_minor,
  fragile_minor: card.fragile_minor,
  minimum_minor: card.minimum_minor,
  surge_percent: card.surge_percent,
  vat_percent: card.vat_percent,
  created_at: card.created_at,
  updated_at: card.updated_at,
})

const pricedView = (fare: Fare) => ({
  currency: fare.currency,
  breakdown: fare.breakdown.map(({ code, label, amount_minor }) => ({ code, label, amount_minor })),
  distance_m: fare.distance_m,
  duration_s: fare.duration_s,
  distance_source: fare.distance_source,
  vehicle_type: fare.vehicle_type,
})

export function farePreviewView(preview: PreviewFareResponse): Record<string, unknown> {
  const fare = present(preview.fare)
  return {
    covered: true,
    fare_minor: fare.fee_minor,
    ...pricedView(fare),
    rate_card: { name: fare.rate_card_name, version: fare.rate_card_version },
    expires_at: preview.expires_at,
  }
}

const fundsView = ({ balance_minor, required_minor, sufficient }: QuoteFunds) => ({
  balance_minor,
  required_minor,
  sufficient,
})

export function quoteView(quote: CreateQuoteResponse): Record<string, unknown> {
  const { quote_id, fulfillment_mode, internal_routing, currency, expires_at } = quote
  if (internal_routing) {
    const { fleet_riders_available, suggested_rider_ids, note } = internal_routing
    return {
      quote_id,
      fulfillment_mode,
      internal_routing: { fleet_riders_available, suggested_rider_ids, note },
      fee_minor: 0,
      currency,
      expires_at,
    }
  }
  const fare = present(quote.fare)
  const wallet = quote.wallet && fundsView(quote.wallet)
  return { quote_id, fulfillment_mode, fee_minor: fare.fee_minor, ...pricedView(fare), wallet, expires_at }
}
