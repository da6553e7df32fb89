import type {
  CreateQuoteResponse,
  Fare,
  FareLine,
  PreviewFareResponse,
  QuoteFunds,
  RateCard,
} from '@svc/contracts/dispatch/v1/pricing_service'
import { amountMinor, matching, maybe, text, timestamp, uuid } from '@svc/inputs'
import { fieldsOf, id, instant, minor, orNull, page, required, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { FULFILLMENT_MODES } from './merchant.ts'
import { VEHICLES, vehicle } from './pieces.ts'
import { DROPOFF, latitude, longitude, PICKUP, wholePoints } from './point.ts'

const currency = matching(/^[A-Z]{3}$/, 'must be a currency code').meta({ example: 'NGN' })
const percent = (most: number) => z.int().min(0).max(most).meta({ description: 'Whole percent' })
const amount = z.int().min(0).max(1_000_000_000).meta({ description: 'Minor currency units' })
const sentPercent = whole.meta({ description: 'Whole percent' })

/** A rate card in one of its versions. */
export const rateCard = z
  .object(
    fieldsOf<RateCard>()({
      id,
      version: whole,
      name: z.string(),
      merchant_id: orNull(id).meta({ description: "null: the platform's" }),
      currency: z.string(),
      vehicle_type: orNull(words(...VEHICLES)).meta({ description: 'null: every vehicle' }),
      active: z.boolean(),
      base_minor: minor,
      per_km_minor: minor,
      per_kg_minor: minor,
      fragile_minor: minor,
      minimum_minor: minor,
      surge_percent: sentPercent,
      vat_percent: sentPercent,
      created_at: instant,
      updated_at: instant,
    }),
  )
  .meta({ id: 'RateCard' })

export const rateCardList = page('items', rateCard)

export const rateCardChange = z
  .strictObject({
    name: text(200),
    currency,
    vehicle_type: vehicle.nullable(),
    active: z.boolean(),
    base_minor: amount,
    per_km_minor: amount,
    per_kg_minor: amount,
    fragile_minor: amount,
    minimum_minor: amount,
    surge_percent: percent(1000),
    vat_percent: percent(100),
  })
  .partial()

export const newRateCard = rateCardChange.extend({ name: text(200), currency, merchant_id: maybe(uuid) })

const line = z
  .object(
    fieldsOf<FareLine>()({
      code: z.string().meta({ description: 'base, distance, weight, fragile, surge, minimum or vat' }),
      label: z.string(),
      amount_minor: whole,
    }),
  )
  .meta({ id: 'FareLine' })

const priced = {
  ...fieldsOf<Fare>()({
    currency: z.string(),
    breakdown: z.array(line).meta({ description: 'Adds up to the fee' }),
    distance_m: whole,
    duration_s: whole,
    distance_source: z.string().meta({ description: 'geodesic or router' }),
    vehicle_type: z.string(),
  }),
  expires_at: instant,
}

export const farePreview = z.object({
  covered: z.literal(true),
  fare_minor: whole,
  ...priced,
  rate_card: z.object({ name: z.string(), version: whole }),
})

/** The fare of a place that is covered: any other is refused. */
export function farePreviewOf({ fare: found, expires_at }: PreviewFareResponse) {
  const fare = required(found)
  return {
    ...fare,
    covered: true as const,
    fare_minor: fare.fee_minor,
    rate_card: { name: fare.rate_card_name, version: fare.rate_card_version },
    expires_at,
  }
}

const measure = maybe(z.number().min(0).max(500))

export const quoteBody = z
  .object({
    fulfillment_mode: z.enum(FULFILLMENT_MODES).default('freelancer'),
    pickup_lat: maybe(latitude),
    pickup_lng: maybe(longitude),
    dropoff_lat: maybe(latitude),
    dropoff_lng: maybe(longitude),
    vehicle_type: maybe(vehicle),
    weight_kg: measure,
    length_cm: measure,
    width_cm: measure,
    height_cm: measure,
    is_fragile: z.boolean().nullish(),
    scheduled_pickup_at: maybe(timestamp),
    cod_amount_minor: maybe(amountMinor),
  })
  .superRefine((body, ctx) => {
    if (body.fulfillment_mode !== 'freelancer') return wholePoints(PICKUP, DROPOFF)(body, ctx)
    for (const name of [...PICKUP, ...DROPOFF]) {
      if (typeof body[name] === 'number') continue
      ctx.addIssue({ code: 'custom', path: [name], message: `${name} is required.`, params: { rule: 'required' } })
    }
  })

/** Whether the merchant's wallet bears the fee now. */
const funds = z
  .object(
    fieldsOf<QuoteFunds>()({
      balance_minor: whole.meta({ description: 'What can be spent' }),
      required_minor: minor,
      sufficient: z.boolean(),
    }),
  )
  .meta({ id: 'QuoteFunds' })

/** The price of a delivery, or what the merchant's own fleet has for it. */
export const quote = z.union([
  z
    .object({
      quote_id: id,
      fulfillment_mode: z.literal('freelancer'),
      fee_minor: whole,
      ...priced,
      wallet: funds.optional(),
    })
    .meta({ id: 'Quote' }),
  z
    .object({
      quote_id: id,
      fulfillment_mode: z.literal('internal_fleet'),
      internal_routing: z.object({
        fleet_riders_available: whole,
        suggested_rider_ids: z.array(id),
        note: z.string(),
      }),
      fee_minor: z.literal(0),
      currency: z.string(),
      expires_at: instant,
    })
    .meta({ id: 'InternalQuote' }),
])

type QuoteBody = z.input<typeof quote>

/** The one of the two shapes that was made. */
export function quoteOf(quote: CreateQuoteResponse): QuoteBody {
  const { quote_id, internal_routing, currency, expires_at, wallet } = quote
  if (internal_routing) {
    return { quote_id, fulfillment_mode: 'internal_fleet', internal_routing, fee_minor: 0, currency, expires_at }
  }
  return { quote_id, fulfillment_mode: 'freelancer', ...required(quote.fare), wallet, expires_at }
}
