import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'

export const rider = z
  .strictObject({
    id: uuid,
    name: z.string().nullable(),
    phone: z.string().nullable(),
    vehicle_type: z.string().nullable(),
  })
  .meta({ id: 'RiderSummary' })

const unifiedRecord = z
  .looseObject({
    schema_version: z.literal('1'),
    status: z.string().max(128),
    payment_verified: z.boolean().optional(),
    raw_payload: z.looseObject({}),
    standardized: z.looseObject({}),
    pod: z.looseObject({}).optional(),
  })
  .meta({ id: 'UnifiedRecord' })

/** When the order is expected: as likely before as after p50, and nine times out of ten before p90. */
const eta = z
  .strictObject({
    pickup_p50_at: timestamp.nullable(),
    pickup_p90_at: timestamp.nullable(),
    dropoff_p50_at: timestamp.nullable(),
    dropoff_p90_at: timestamp.nullable(),
  })
  .meta({ id: 'Eta', description: 'An end that lies behind is null' })

const fields = {
  id: uuid,
  merchant_id: uuid,
  source: z.string(),
  external_order_id: z.string(),
  status: z.string(),
  unified_json: unifiedRecord,
  tracking_token: z.string().nullable(),
  is_test: z.boolean(),
  vehicle_type_source: z.enum(['caller', 'derived']).nullable(),
  customer_tracking_url: z.string().nullable(),
  rider: rider.optional(),
  fee_minor: z.int().nullable().meta({ description: 'Priced at creation; null without both points' }),
  currency: z.string().nullable(),
  quote_id: uuid.nullable(),
  eta: eta.nullable(),
  cancelled_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
}

/** One order. */
export const order = z.strictObject(fields).meta({ id: 'Order' })

const point = z
  .strictObject({ type: z.literal('Point'), coordinates: z.tuple([z.number(), z.number()]) })
  .meta({ id: 'GeoPoint', description: 'GeoJSON: longitude, then latitude' })

/** One row of a list of orders. */
export const orderRow = z
  .strictObject({ ...fields, isTest: z.boolean(), pickup_geo: point.nullable(), dropoff_geo: point.nullable() })
  .meta({ id: 'OrderRow' })

export const orderList = z.strictObject({
  orders: z.array(orderRow),
  total: z.int().min(0),
  limit: z.int().min(1),
  offset: z.int().min(0),
  next_cursor: z.string().nullable(),
})
