import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { FULFILLMENT_MODES } from './merchant.ts'
import { minor, page, VEHICLES, vehicle } from './pieces.ts'
import { DROPOFF, latitude, longitude, PICKUP, wholePoints } from './point.ts'

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a currency code')
  .meta({ example: 'NGN' })
const percent = (most: number) => z.int().min(0).max(most).meta({ description: 'Whole percent' })
const amount = z.int().min(0).max(1_000_000_000).meta({ description: 'Minor currency units' })

const amounts = {
  base_minor: amount,
  per_km_minor: amount,
  per_kg_minor: amount,
  fragile_minor: amount,
  minimum_minor: amount,
  surge_percent: percent(1000),
  vat_percent: percent(100),
}

export const rateCard = z
  .strictObject({
    id: uuid,
    version: z.int(),
    name: z.string(),
    merchant_id: uuid.nullable().meta({ description: "null: the platform's" }),
    currency: z.string(),
    vehicle_type: z.enum(VEHICLES).nullable().meta({ description: 'null: every vehicle' }),
    active: z.boolean(),
    ...amounts,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'RateCard' })

export const rateCardList = page('items', rateCard)

const changeable = z
  .strictObject({
    name: text(200),
    currency,
    vehicle_type: vehicle.nullable(),
    active: z.boolean(),
    ...amounts,
  })
  .partial()

export const newRateCard = changeable.extend({ name: text(200), currency, merchant_id: uuid.nullish() })
export const rateCardChange = changeable

const line = z
  .strictObject({
    code: z.string().meta({ description: 'base, distance, weight, fragile, surge, minimum or vat' }),
    label: z.string(),
    amount_minor: z.int(),
  })
  .meta({ id: 'FareLine' })

const priced = {
  currency: z.string(),
  breakdown: z.array(line).meta({ description: 'Adds up to the fee' }),
  distance_m: z.int(),
  duration_s: z.int(),
  distance_source: z.string().meta({ description: 'geodesic or router' }),
  vehicle_type: z.string(),
  expires_at: timestamp,
}

export const farePreview = z.strictObject({
  covered: z.literal(true),
  fare_minor: z.int(),
  ...priced,
  rate_card: z.strictObject({ name: z.string(), version: z.int() }),
})

const measure = z.number().min(0).max(500).nullish()

export const quoteBody = z
  .object({
    fulfillment_mode: z.enum(FULFILLMENT_MODES).default('freelancer'),
    pickup_lat: latitude.nullish(),
    pickup_lng: longitude.nullish(),
    dropoff_lat: latitude.nullish(),
    dropoff_lng: longitude.nullish(),
    vehicle_type: vehicle.nullish(),
    weight_kg: measure,
    length_cm: measure,
    width_cm: measure,
    height_cm: measure,
    is_fragile: z.boolean().nullish(),
    scheduled_pickup_at: timestamp.nullish(),
    cod_amount_minor: minor.nullish(),
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
  .strictObject({
    balance_minor: z.int().meta({ description: 'What can be spent' }),
    required_minor: minor,
    sufficient: z.boolean(),
  })
  .meta({ id: 'QuoteFunds' })

export const quote = z.union([
  z
    .strictObject({
      quote_id: uuid,
      fulfillment_mode: z.literal('freelancer'),
      fee_minor: z.int(),
      ...priced,
      wallet: funds.optional(),
    })
    .meta({ id: 'Quote' }),
  z
    .strictObject({
      quote_id: uuid,
      fulfillment_mode: z.literal('internal_fleet'),
      internal_routing: z.strictObject({
        fleet_riders_available: z.int(),
        suggested_rider_ids: z.array(uuid),
        note: z.string(),
      }),
      fee_minor: z.literal(0),
      currency: z.string(),
      expires_at: timestamp,
    })
    .meta({ id: 'InternalQuote' }),
])
