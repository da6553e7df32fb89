import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { order, rider } from './order.ts'
import { withdrawalReply } from './payout.ts'
import { minor, page } from './pieces.ts'

export const eventName = z
  .string()
  .regex(/^[a-z]+\.[a-z_]+$/, 'must be the name of an event')
  .max(64)

export const outboundWebhook = z
  .strictObject({
    url: z.string().nullable(),
    enabled: z.boolean(),
    outboundWebhookSecretConfigured: z.boolean(),
    events: z.array(z.string()),
    signature_version: z.enum(['v1', 'v2']),
    test_url: z.string().nullable(),
    testOutboundWebhookSecretConfigured: z.boolean(),
    updated_at: timestamp.nullable(),
    secret: z.string().optional().meta({ description: 'Only in the one reply after the service generated it' }),
  })
  .meta({ id: 'OutboundWebhook' })

export const attempt = z
  .strictObject({
    attempt: z.int(),
    at: timestamp,
    duration_ms: z.int(),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    response_snippet: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' })

const deliveryFields = {
  id: uuid,
  event_id: uuid,
  event: z.string(),
  order_id: uuid.nullable(),
  status: z.enum(['pending', 'succeeded', 'dead']),
  attempts: z.int(),
  max_attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  url: z.string().nullable(),
  is_test: z.boolean(),
  created_at: timestamp,
  succeeded_at: timestamp.nullable(),
  attempts_log: z.array(attempt),
}

export const delivery = z.strictObject(deliveryFields).meta({ id: 'Delivery' })
export const deliveryList = page('items', delivery)

export const adminDelivery = z.strictObject({ ...deliveryFields, merchant_id: uuid }).meta({ id: 'AdminDelivery' })
export const adminDeliveryList = page('items', adminDelivery)

const envelopeOrder = z
  .looseObject({ ...order.shape, vehicle_type_source: order.shape.vehicle_type_source.optional() })
  .partial({
    status: true,
    customer_tracking_url: true,
    fee_minor: true,
    currency: true,
    quote_id: true,
    eta: true,
    cancelled_at: true,
    is_test: true,
  })
  .meta({ id: 'EnvelopeOrder' })

const sequence = (subject: string) =>
  z
    .int()
    .min(1)
    .meta({ description: `Counts the events of one ${subject} from 1` })

const envelopeFields = {
  event: z.string(),
  event_id: uuid.meta({ description: 'Constant over retries of one business event; deduplicate by it' }),
  occurred_at: timestamp,
  merchant_id: uuid,
  api_version: z.literal('v1'),
}

const orderFields = {
  ...envelopeFields,
  sequence: sequence('order'),
  order: envelopeOrder,
  rider: rider.optional(),
  previous_status: z.string().optional(),
  status: z.string().optional(),
  previous_rider_id: uuid.optional(),
}

const withdrawalFields = {
  ...envelopeFields,
  sequence: sequence('withdrawal'),
  is_test: z.literal(false),
  withdrawal: withdrawalReply.shape.withdrawal,
}

const topupFields = {
  ...envelopeFields,
  sequence: sequence('top-up'),
  is_test: z.literal(false),
  topup: z
    .strictObject({ reference: z.string(), amount_minor: minor, currency: z.string() })
    .meta({ id: 'CreditedTopup' }),
}

/** An entry of the event log; which of them exist beside those of orders is the merchant's choice. */
export const eventEnvelope = z
  .union([
    z.looseObject(orderFields).meta({ id: 'OrderEvent' }),
    z.looseObject(withdrawalFields).meta({ id: 'WithdrawalEvent' }),
    z.looseObject(topupFields).meta({ id: 'TopupEvent' }),
  ])
  .meta({ id: 'Event' })

const deliveryId = { delivery_id: uuid.meta({ description: 'The delivery; constant over its retries' }) }

/** The body of an outbound webhook. */
export const webhookEnvelope = z.looseObject({ ...orderFields, ...deliveryId }).meta({ id: 'WebhookEnvelope' })
export const withdrawalWebhook = z.looseObject({ ...withdrawalFields, ...deliveryId }).meta({ id: 'WithdrawalWebhook' })
export const topupWebhook = z.looseObject({ ...topupFields, ...deliveryId }).meta({ id: 'TopupWebhook' })
