import { matching, text, uuid } from '@svc/inputs'
import * as z from 'zod'
import { phone } from './phone.ts'
import { DROPOFF, latitude, longitude, PICKUP, wholePoints } from './point.ts'

const address = text(500, 3)
const amountMinor = z.int().min(0).meta({ description: 'Minor currency units' })
const currency = matching(/^[A-Za-z]{3}$/, 'must be a currency code').meta({ example: 'NGN' })
const measure = (unit: string) => z.number().min(0).max(500).meta({ description: unit })

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

// Each point whole or absent.
const judge = wholePoints(PICKUP, DROPOFF)

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
export const simulatorBody = <E extends z.ZodRawShape>(extras: E) =>
  z.looseObject({ ...simulatorFields, ...extras }).superRefine(judge)
