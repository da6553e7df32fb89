import { atLeastOne, paging, text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { merchant, reply, viewedRoute } from '../../http/route.ts'
import { nulls } from '../../schemas/pieces.ts'
import { attempt, delivery, deliveryList, eventName, outboundWebhook } from '../../schemas/webhook.ts'
import { present } from '../../views/or-null.ts'
import { attemptView, deliveryView, outboundWebhookView } from '../../views/webhook.ts'

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
    events: z.array(eventName).max(64).optional(),
    signature_version: z.enum(['v1', 'v2']).optional(),
    test_url: url.meta({ description: 'Where events of test orders go instead' }),
    test_secret: secret,
  }),
)

export const myOutboundWebhook = [
  viewedRoute({
    method: 'GET',
    path: '/v1/me/outbound-webhook',
    operationId: 'getOutboundWebhook',
    tag,
    summary: 'Read the endpoint',
    auth,
    replies: { 200: outboundWebhook },
    errors: [],
    async handle(_input, services) {
      const { webhook } = await services.outboundWebhook.getOutboundWebhook({})
      return reply(200, outboundWebhookView(present(webhook)))
    },
  }),
  viewedRoute({
    method: 'PATCH',
    path: '/v1/me/outbound-webhook',
    operationId: 'updateOutboundWebhook',
    tag,
    summary: 'Change the endpoint',
    description: 'Enabling it without a secret generates one, which this reply alone shows.',
    auth,
    body: updateBody,
    replies: { 200: outboundWebhook },
    errors: ['invalid_webhook_url'],
    async handle({ body }, services) {
      const { outbound_webhook_secret: alias, events, ...fields } = body
      const change = { ...fields, secret: fields.secret === undefined ? alias : fields.secret }
      const updated = await services.outboundWebhook.updateOutboundWebhook({
        url: change.url ?? undefined,
        enabled: change.enabled,
        secret: change.secret ?? undefined,
        events: events && { events },
        signature_version: change.signature_version,
        test_url: change.test_url ?? undefined,
        test_secret: change.test_secret ?? undefined,
        clear_fields: nulls(change),
      })
      return reply(200, { ...outboundWebhookView(present(updated.webhook)), secret: updated.generated_secret })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/me/outbound-webhook/test',
    operationId: 'testOutboundWebhook',
    tag,
    summary: 'Send webhook.ping now',
    description: 'Answers with what the receiver answered; nothing is stored or retried.',
    auth,
    deadlineMs: 15_000,
    replies: { 200: z.strictObject({ ok: z.boolean(), event_id: uuid, attempt }) },
    errors: ['feature_disabled'],
    async handle({ caller }, services) {
      const sent = await services.outboundWebhook.testOutboundWebhook({ is_test: caller.isTest === true })
      const tried = present(sent.attempt)
      const status = tried.status_code ?? 0
      return reply(200, { ok: status >= 200 && status < 300, event_id: sent.event_id, attempt: attemptView(tried) })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/me/outbound-webhook/rotate-secret',
    operationId: 'rotateOutboundWebhookSecret',
    tag,
    summary: 'Replace the signing secret',
    description: 'Under signature version v2 both secrets sign for 24 hours; v1 switches at once.',
    auth,
    replies: { 200: z.strictObject({ secret: z.string(), previous_secret_expires_at: timestamp.nullable() }) },
    errors: [],
    async handle(_input, services) {
      const rotated = await services.outboundWebhook.rotateOutboundWebhookSecret({})
      const previous_secret_expires_at = rotated.previous_secret_expires_at ?? null
      return reply(200, { secret: rotated.secret, previous_secret_expires_at })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/me/outbound-webhook/replay',
    operationId: 'replayEvents',
    tag,
    summary: 'Deliver the events of a period again',
    auth,
    body: z.object({
      since: timestamp,
      until: timestamp.optional(),
      events: z.array(eventName).max(64).optional(),
      status: z.enum(['pending', 'succeeded', 'dead']).optional(),
    }),
    replies: { 202: z.strictObject({ queued: z.int().min(0) }) },
    errors: [],
    async handle({ body }, services) {
      const { queued } = await services.event.replayEvents({ ...body, events: body.events ?? [] })
      return reply(202, { queued })
    },
  }),
  viewedRoute({
    method: 'GET',
    path: '/v1/me/outbound-webhook/deliveries',
    operationId: 'listDeliveries',
    tag,
    summary: 'List deliveries, newest first',
    auth,
    query: {
      ...paging(),
      order_id: uuid.optional(),
      status: z.enum(['pending', 'succeeded', 'dead']).optional(),
      event: eventName.optional(),
    },
    replies: { 200: deliveryList },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.delivery.listDeliveries(query)
      return reply(200, { items: items.map(deliveryView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/me/outbound-webhook/deliveries/{deliveryId}/retry',
    operationId: 'retryDelivery',
    tag,
    summary: 'Queue a pending or dead delivery again',
    auth,
    params: { deliveryId: uuid },
    replies: { 200: z.strictObject({ ok: z.literal(true), delivery }) },
    errors: ['not_found', 'delivery_already_succeeded'],
    async handle({ params }, services) {
      const retried = await services.delivery.retryDelivery({ id: params.deliveryId })
      return reply(200, { ok: true, delivery: deliveryView(present(retried.delivery)) })
    },
  }),
]
