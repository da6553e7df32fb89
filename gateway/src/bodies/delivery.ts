import type { Delivery } from '@svc/contracts/webhook/v1/delivery_service'
import type { Attempt, OutboundWebhook } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { matching } from '@svc/inputs'
import { EVENTS, fieldsOf, id, instant, orNull, PING, page, shownAs, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

/** The name of an event that an endpoint may list. */
export const listedEvent = z.enum(EVENTS).meta({ id: 'EventName' })

/** The name of what a test of the endpoint sends. */
export const sampledEvent = z.enum([...EVENTS, PING]).meta({ description: 'Of what a sample is sent' })

/** A name in a filter: also of an event that is no more. */
export const eventName = matching(/^[a-z]+\.[a-z_]+$/, 'must be the name of an event')

/** A merchant's outbound endpoint; secrets are only said to exist. */
export const outboundWebhook = z
  .object({
    ...fieldsOf<OutboundWebhook>()({
      url: orNull(z.string()),
      enabled: z.boolean(),
      events: z.array(shownAs(z.string(), listedEvent)),
      signature_version: words('v1', 'v2'),
      test_url: orNull(z.string()),
      disabled_reason: orNull(z.string()).meta({ description: 'Why it was disabled by the service' }),
      updated_at: orNull(instant),
    }),
    outboundWebhookSecretConfigured: z.boolean(),
    testOutboundWebhookSecretConfigured: z.boolean(),
    secret: z.string().optional().meta({ description: 'Only in the one reply after the service generated it' }),
  })
  .meta({ id: 'OutboundWebhook' })

export const outboundWebhookOf = (webhook: OutboundWebhook) => ({
  ...webhook,
  outboundWebhookSecretConfigured: webhook.secret_configured,
  testOutboundWebhookSecretConfigured: webhook.test_secret_configured,
})

export const attempt = z
  .object(
    fieldsOf<Attempt>()({
      attempt: whole,
      at: instant,
      duration_ms: whole,
      status_code: orNull(whole),
      error: orNull(z.string()),
      response_snippet: orNull(z.string()),
    }),
  )
  .meta({ id: 'DeliveryAttempt' })

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'dead'] as const

const fields = fieldsOf<Delivery>()({
  id,
  event_id: id,
  event: z.string(),
  order_id: orNull(id),
  status: words(...DELIVERY_STATUSES),
  attempts: whole,
  max_attempts: whole,
  next_attempt_at: orNull(instant),
  last_status_code: orNull(whole),
  last_error: orNull(z.string()),
  url: orNull(z.string()),
  is_test: z.boolean(),
  created_at: instant,
  succeeded_at: orNull(instant),
  fault: orNull(z.string()).meta({ description: 'The fault of the sandbox that it met' }),
  attempts_log: z.array(attempt),
})

export const delivery = z.object(fields).meta({ id: 'Delivery' })
export const deliveryList = page('items', delivery)

/** The same for operators, who see deliveries of many merchants. */
export const adminDelivery = z
  .object({ ...fields, ...fieldsOf<Delivery>()({ merchant_id: id }) })
  .meta({ id: 'AdminDelivery' })
export const adminDeliveryList = page('items', adminDelivery)
