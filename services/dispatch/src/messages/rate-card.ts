import type { RateCard } from '@svc/contracts/dispatch/v1/pricing_service'
import type { StoredRateCard } from '../db/rate-cards.ts'

/** A rate card as operators see it. */
export const rateCardMessage = (card: StoredRateCard): RateCard => ({
  id: card.id,
  version: card.version,
  name: card.name,
  merchant_id: card.merchantId ?? undefined,
  currency: card.currency,
  vehicle_type: card.vehicleType ?? undefined,
  active: card.active,
  base_minor: card.baseMinor,
  per_km_minor: card.perKmMinor,
  per_kg_minor: card.perKgMinor,
  fragile_minor: card.fragileMinor,
  minimum_minor: card.minimumMinor,
  surge_percent: card.surgePercent,
  vat_percent: card.vatPercent,
  created_at: card.createdAt.toISOString(),
  updated_at: card.updatedAt.toISOString(),
})
