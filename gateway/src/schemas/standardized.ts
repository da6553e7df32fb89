import * as z from 'zod'
import { text, uuid } from './pieces.ts'

const E164 = /^\+[1-9]\d{6,14}$/
const NIGERIAN_LOCAL = /^0\d{10}$/

const phone = z
  .string()
  .max(32)
  .regex(new RegExp(`${E164.source}|${NIGERIAN_LOCAL.source}`), 'must be E.164, or 0 and ten digits')
  .meta({ description: 'E.164, or Nigerian local (0 and ten digits)', example: '+2348012345678' })

const address = text(500, 3)
const amountMinor = z.int().min(0).meta({ description: 'Minor currency units' })
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be a currency code')
  .meta({ example: 'NGN' })
const measure = (unit: string) => z.number().min(0).max(500).meta({ description: unit })
const latitude = z.number().min(-90).max(90)
const longitude = z.number().min(-180).max(180)

const item = z
  .looseObject({
    name: text(200),
    quantity: z.int().min(1).nullish().meta({ description: '1 when absent' }),
    sku: text(200, 0).nullish(),
    unit_price_minor: amountMinor.nullish(),
    currency: currency.nullish(),
    weight_kg: measure('Kilograms').nullish(),
    length_cm: measure('Centimetres').nullish(),
    width_cm: measure('Centimetres').nullish(),
    height_cm: measure('Centimetres').nullish(),
    is_fragile: z.boolean().nullish(),
    barcode: text(200, 0).nullish(),
    notes: text(500, 0).nullish(),
  })
  .meta({ id: 'OrderItem' })

// Their service judges the times after the lookups by key, so that a repeat still finds its order after the pickup time.
const judgedLater = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ description, override: { type: 'string', format: 'date-time' } })

const TIMES = ['scheduled_pickup_at', 'delivery_window_start', 'delivery_window_end']

const optionals = {
  customer_name: text(200, 0).nullish(),
  pickup_lat: latitude.nullish(),
  pickup_lng: longitude.nullish(),
  dropoff_lat: latitude.nullish(),
  dropoff_lng: longitude.nullish(),
  notes: text(2000, 0).nullish(),
  cod_amount_minor: amountMinor.nullish(),
  cod_currency: currency.nullish(),
  weight_kg: measure('Kilograms').nullish(),
  length_cm: measure('Centimetres').nullish(),
  width_cm: measure('Centimetres').nullish(),
  height_cm: measure('Centimetres').nullish(),
  is_fragile: z.boolean().nullish(),
  vehicle_type_hint: z.enum(['motorcycle', 'car', 'van', 'truck']).nullish(),
  rider_id: uuid.nullish(),
  delivery_commission_minor: amountMinor.nullish(),
  items: z.array(item).max(200).nullish(),
}

interface Judged {
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  rider_id?: string | null | undefined
}

/** Each point whole or absent; no rider yet. */
function judge(value: Judged, ctx: z.RefinementCtx): void {
  const pairs = [
    ['pickup_lat', 'pickup_lng'],
    ['dropoff_lat', 'dropoff_lng'],
  ] as const
  for (const [lat, lng] of pairs) {
    const hasLat = typeof value[lat] === 'number'
    if (hasLat === (typeof value[lng] === 'number')) continue
    const field = hasLat ? lng : lat
    ctx.addIssue({
      code: 'custom',
      path: [field],
      message: `${field} is required beside ${hasLat ? lat : lng}.`,
      params: { rule: 'required_together' },
    })
  }
  if (value.rider_id) {
    ctx.addIssue({
      code: 'custom',
      path: ['rider_id'],
      message: 'rider_id does not name a rider who can be assigned.',
      params: { rule: 'assignable_rider' },
    })
  }
}

/** The standardized record of a new order. Keys that it does not name are kept. */
export const standardized = z
  .looseObject({
    pickup_address: address,
    dropoff_address: address,
    customer_phone: phone,
    scheduled_pickup_at: judgedLater('ISO-8601 with offset or Z; in the future. Required.'),
    delivery_window_start: judgedLater('ISO-8601 with offset or Z; before the window ends. Required.'),
    delivery_window_end: judgedLater('ISO-8601 with offset or Z; after the pickup. Required.'),
    ...optionals,
  })
  .superRefine(judge)
  .meta({ id: 'Standardized', override: ({ jsonSchema }) => void jsonSchema.required?.push(...TIMES) })

const simulatorFields = {
  external_order_id: text(512),
  pickup_address: address,
  dropoff_address: address,
  customer_phone: phone,
  scheduled_pickup_at: judgedLater('15 minutes from now when absent'),
  delivery_window_start: judgedLater('15 minutes from now when absent'),
  delivery_window_end: judgedLater('2 hours from now when absent'),
  ...optionals,
}

/** A simulator order: the standardized record at the top level, times filled in where absent, and `extras`. */
export const simulatorOrder = <E extends z.ZodRawShape>(extras: E) =>
  z.looseObject({ ...simulatorFields, ...extras }).superRefine(judge as (value: object, ctx: z.RefinementCtx) => void)
