import {
  DEFAULT_EVENTS,
  type EVENTS,
  ORDER_EVENTS,
  orderWebhook,
  PING,
  pingWebhook,
  TOPUP_EVENTS,
  topupWebhook,
  WITHDRAWAL_EVENTS,
  withdrawalWebhook,
} from '@svc/public-bodies'
import * as z from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import type { Examples } from './openapi-examples.ts'

const underV2 = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description: `Signature version v2: ${description}` })

const webhookHeaders = z.object({
  'X-Service-Signature': z.string().meta({
    description:
      '`v1=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret. Under version v2 `t=<unix seconds>` and, for each valid secret, `v2=` and that of `<event id>.<t>.<raw body>`',
    example: 'v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  }),
  'X-Service-Delivery': z.uuid().meta({ description: 'Unique to this attempt' }),
  'X-Service-Event': z.string(),
  'X-Service-Environment': z.literal('test').optional().meta({ description: 'On events of test orders' }),
  'X-Service-Event-Id': underV2('the event id'),
  'X-Service-Timestamp': underV2('seconds since 1970'),
  'webhook-id': underV2('the event id, as in Standard Webhooks'),
  'webhook-timestamp': underV2('seconds since 1970, as in Standard Webhooks'),
  'webhook-signature': underV2('`v1,` and the digest in base64, as in Standard Webhooks'),
})

const AT_LEAST_ONCE = 'At least once. Answer 2xx within 12 seconds; anything else is retried with growing delays.'
const WHERE_LISTED = 'Only for merchants that list it among the `events` of their endpoint.'

const DEFAULTS: ReadonlySet<string> = new Set(DEFAULT_EVENTS)

type EventName = (typeof EVENTS)[number] | typeof PING

const OCCASIONS: Record<EventName, string> = {
  [PING]: 'You test your endpoint',
  'order.created': 'A new order was accepted',
  'order.status_updated': 'The status of an order changed',
  'order.rider_assigned': 'A rider was assigned to an order, or taken off it',
  'order.accepted': 'The status of an order became accepted',
  'order.picked_up': 'The rider collected the goods',
  'order.delivered': 'The delivery is complete',
  'order.rider_arrived_pickup': 'The rider is at the pickup',
  'order.rider_arrived_dropoff': 'The rider is at the drop-off',
  'order.eta_changed': 'The order is expected more than 5 minutes earlier or later than was told before',
  'dispatch.delayed': 'No rider has accepted an order yet, and the search goes on',
  'dispatch.exhausted': 'No rider accepted an order; it stays pending and is tried again',
  'withdrawal.requested': 'You asked for a withdrawal, and its amount was put aside',
  'withdrawal.approved': 'A withdrawal was approved and will be sent',
  'withdrawal.processing': 'An attempt to pay a withdrawal out began',
  'withdrawal.paid': 'The payment provider says that a withdrawal arrived',
  'withdrawal.failed': 'A withdrawal came back, and so did its money',
  'withdrawal.rejected': 'An operator refused a withdrawal; its money is back',
  'withdrawal.cancelled': 'You took a withdrawal back; so is its money',
  'wallet.topup_credited': 'A top-up was paid, and your wallet has it',
}

/** What we send, event by event, with a sample of each. */
export const webhookPaths = (samples: Examples['webhooks']): ZodOpenApiPathsObject =>
  Object.fromEntries(
    [
      ...ORDER_EVENTS.map((event) => webhook(event, orderWebhook, samples)),
      ...WITHDRAWAL_EVENTS.map((event) => webhook(event, withdrawalWebhook, samples)),
      ...TOPUP_EVENTS.map((event) => webhook(event, topupWebhook, samples)),
      webhook(PING, pingWebhook, samples),
    ].map((one) => [one.event, { post: one.operation }]),
  ) as ZodOpenApiPathsObject

const webhook = (event: EventName, schema: z.ZodType, samples: Examples['webhooks']) => ({
  event,
  operation: {
    operationId: `on.${event}`,
    summary: OCCASIONS[event],
    description: promiseOf(event),
    security: [],
    requestParams: { header: webhookHeaders },
    requestBody: { required: true, content: { 'application/json': { schema, example: samples[event] } } },
    responses: { '2XX': { description: 'Received' } },
  },
})

function promiseOf(event: EventName): string {
  if (event === PING) return 'Once, when it is asked for. What your endpoint answers is told to who asked.'
  return DEFAULTS.has(event) ? AT_LEAST_ONCE : `${WHERE_LISTED} ${AT_LEAST_ONCE}`
}
