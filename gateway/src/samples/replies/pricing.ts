import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const rateCard = {
  id,
  version: 2,
  name: 'Lagos',
  merchant_id: id,
  currency: 'NGN',
  vehicle_type: 'car',
  active: true,
  base_minor: 50_000,
  per_km_minor: 10_000,
  per_kg_minor: 0,
  fragile_minor: 0,
  minimum_minor: 80_000,
  surge_percent: 0,
  vat_percent: 8,
  created_at: at,
  updated_at: at,
}

const fare = {
  currency: 'NGN',
  fee_minor: 125_000,
  breakdown: [{ code: 'base', label: 'Base fare', amount_minor: 125_000 }],
  distance_m: 5000,
  duration_s: 900,
  distance_source: 'geodesic',
  vehicle_type: 'motorcycle',
  rate_card_id: id,
  rate_card_name: 'Lagos',
  rate_card_version: 2,
}

export const pricingReplies = {
  listRateCards: { items: [rateCard], ...page },
  createRateCard: { rate_card: rateCard },
  updateRateCard: { rate_card: rateCard },
  previewFare: { fare, expires_at: at },
  createQuote: {
    quote_id: id,
    fulfillment_mode: 'freelancer',
    fare,
    currency: 'NGN',
    expires_at: at,
    wallet: { balance_minor: 50_000, required_minor: 125_000, sufficient: false },
  },
} satisfies Partial<RpcReplies>
