import type { Eta, Order } from '@svc/contracts/order/v1/order'
import * as z from 'zod'
import { fieldsOf, id, instant, orNull, rawJson, required, whole, words } from './pieces.ts'
import { riderSummary } from './rider.ts'

const cashOnDelivery = z
  .looseObject({
    status: words('collected', 'short', 'refused'),
    expected_minor: whole,
    collected_minor: whole,
    currency: orNull(z.string()).meta({ description: "Null: the merchant's own" }),
    reason: orNull(z.string()).meta({ description: 'Why less was paid' }),
    rider_id: id,
    at: instant,
  })
  .meta({ id: 'CashOnDelivery', description: 'What became of the cash on delivery, as the rider said' })

const unifiedRecord = z
  .looseObject({
    schema_version: z.literal('1'),
    status: z.string(),
    payment_verified: z.boolean().optional(),
    raw_payload: z.looseObject({}),
    standardized: z.looseObject({}),
    pod: z.looseObject({}).optional(),
    cod: cashOnDelivery.optional(),
  })
  .meta({ id: 'UnifiedRecord' })

/** When the order is expected: as likely before as after p50, and nine times out of ten before p90. */
export const eta = z
  .object(
    fieldsOf<Eta>()({
      pickup_p50_at: orNull(instant),
      pickup_p90_at: orNull(instant),
      dropoff_p50_at: orNull(instant),
      dropoff_p90_at: orNull(instant),
    }),
  )
  .meta({ id: 'Eta', description: 'An end that lies behind is null' })

/** An order as its merchant sees it; the unified record passes through unread. */
export const order = z
  .object(
    fieldsOf<Order>()({
      id,
      merchant_id: id,
      source: z.string(),
      external_order_id: z.string(),
      status: z.string(),
      unified_json: rawJson(unifiedRecord),
      tracking_token: orNull(z.string()),
      is_test: z.boolean(),
      vehicle_type_source: orNull(words('caller', 'derived')),
      customer_tracking_url: orNull(z.string()),
      rider: riderSummary.optional(),
      fee_minor: orNull(whole).meta({ description: 'Priced at creation; null without both points' }),
      currency: orNull(z.string()),
      quote_id: orNull(id),
      eta: orNull(eta),
      cancelled_at: orNull(instant),
      created_at: instant,
      updated_at: instant,
    }),
  )
  .meta({ id: 'Order' })

/** The order of a reply, which always has its times: the message of `order.created` alone goes without. */
export function orderOf(message: Order | undefined) {
  const found = required(message)
  return { ...found, created_at: required(found.created_at), updated_at: required(found.updated_at) }
}
