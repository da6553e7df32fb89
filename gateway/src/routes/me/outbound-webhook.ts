import { atLeastOne, paging, text, timestamp, uuid } from '@svc/inputs'
import { id, instant, orNull, required, whole } from '@svc/public-bodies'
import * as z from 'zod'
import {
  attempt,
  DELIVERY_STATUSES,
  delivery,
  deliveryList,
  eventName,
  listedEvent,
  outboundWebhook,
  outboundWebhookOf,
  sampledEvent,
} from '../../bodies/delivery.ts'
import { nulls, withoutNulls } from '../../bodies/pieces.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Outbound webhook'
const auth = merchant('webhooks:manage')

// What is no admissible address is so by one code, whatever the reason: its service says invalid_webhook_url.
const url = z.string().nullable().optional()
const secret = text(256, 16).nullable().optional()

const updateBody = atLeastOne(
  z.strictObject({
    url: url.meta({ description: 'Public https address of at most 2048 characters, or null' }),
    enabled: z.boolean().optional(),
    secret: secret.meta({ description: 'Signing secret; null clears it' }),
    outbound_webhook_secret: secret.meta({ description: 'Another name of secret' }),
    events: z.array(listedEvent).max(64).optional(),
    signature_version: z.enum(['v1', 'v2']).optional(),
    test_url: url.meta({ description: 'The url of the sandbox endpoint' }),
    test_secret: secret.meta({ description: 'The secret of the sandbox endpoint' }),
  }),
)

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/outbound-webhook',
    operationId: 'getOutboundWebhook',
    tag,
    summary: 'Read the endpoint',
    description: 'That of the sandbox for a test credential; for all others the live one, with the test URL beside it.',
    auth,
    replies: { 200: outboundWebhook },
    errors: [],
    async handle(_input, services) {
      const { webhook } = await services.outboundWebhook.getOutboundWebhook({})
      return reply(200, outboundWebhookOf(required(webhook)))
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/me/outbound-webhook',
    operationId: 'updateOutboundWebhook',
    tag,
    summary: 'Change the endpoint',
    description:
      'Enabling it without a secret generates one, which this reply alone shows. A test credential changes the sandbox endpoint alone.',
    auth,
    body: updateBody,
    replies: { 200: outboundWebhook },
    errors: ['invalid_webhook_url'],
    async handle({ body }, services) {
      const { outbound_webhook_secret: alias, events, ...fields } = body
      const change = { ...fields, secret: fields.secret === undefined ? alias : fields.secret }
      const updated = await services.outboundWebhook.updateOutboundWebhook({
        ...withoutNulls(change),
        events: events && { events },
        clear_fields: nulls(change),
      })
      return reply(200, { ...outboundWebhookOf(required(updated.webhook)), secret: updated.generated_secret })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/outbound-webhook/test',
    operationId: 'testOutboundWebhook',
    tag,
    summary: 'Send webhook.ping, or the sample of an event, now',
    description:
      'Answers with what the receiver answered; nothing is stored or retried. With `event` the sample of that event is sent, signed like any other and with `sample: true`, whether or not the endpoint lists it: so events of money can be rehearsed in the sandbox.',
    auth,
    deadlineMs: 15_000,
    body: z.object({ event: sampledEvent.optional() }),
    replies: { 200: z.object({ ok: z.boolean(), event_id: id, attempt }) },
    errors: ['feature_disabled'],
    async handle({ caller, body: { event } }, services) {
      const sent = await services.outboundWebhook.testOutboundWebhook({ is_test: caller.isTest === true, event })
      const tried = required(sent.attempt)
      const status = tried.status_code ?? 0
      return reply(200, { ok: status >= 200 && status < 300, event_id: sent.event_id, attempt: tried })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/outbound-webhook/rotate-secret',
    operationId: 'rotateOutboundWebhookSecret',
    tag,
    summary: 'Replace the signing secret',
    description: 'Under signature version v2 both secrets sign for 24 hours; v1 switches at once.',
    auth,
    replies: { 200: z.object({ secret: z.string(), previous_secret_expires_at: orNull(instant) }) },
    errors: [],
    async handle(_input, services) {
      return reply(200, await services.outboundWebhook.rotateOutboundWebhookSecret({}))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/outbound-webhook/replay',
    operationId: 'replayEvents',
    tag,
    summary: 'Deliver the events of a period again',
    description:
      'Events between `since` and `until` are posted to the endpoint again; 202 says how many. Each keeps its `event_id`, by which you know a repeat. The webhook must be enabled.',
    auth,
    body: z.object({
      since: timestamp,
      until: timestamp.optional(),
      events: z.array(listedEvent).max(64).optional(),
      status: z.enum(DELIVERY_STATUSES).optional(),
    }),
    replies: { 202: z.object({ queued: whole }) },
    errors: [],
    async handle({ body }, services) {
      return reply(202, await services.event.replayEvents({ ...body, events: body.events ?? [] }))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/outbound-webhook/deliveries',
    operationId: 'listDeliveries',
    tag,
    summary: 'List deliveries, newest first',
    description: 'What became of each webhook, with its attempts. Filter by order, status or event.',
    auth,
    query: {
      ...paging(),
      order_id: uuid.optional(),
      status: z.enum(DELIVERY_STATUSES).optional(),
      event: eventName.optional(),
    },
    replies: { 200: deliveryList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.delivery.listDeliveries(query))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/outbound-webhook/deliveries/{deliveryId}/retry',
    operationId: 'retryDelivery',
    tag,
    summary: 'Queue a pending or dead delivery again',
    description:
      'It is attempted again, with its attempts counted anew, also where it was given up. 400 `delivery_already_succeeded` for one that the endpoint took.',
    auth,
    params: { deliveryId: uuid },
    replies: { 200: z.object({ ok: z.literal(true), delivery }) },
    errors: ['not_found', 'delivery_already_succeeded'],
    async handle({ params }, services) {
      const retried = await services.delivery.retryDelivery({ id: params.deliveryId })
      return reply(200, { ok: true, delivery: required(retried.delivery) })
    },
  }),
]
