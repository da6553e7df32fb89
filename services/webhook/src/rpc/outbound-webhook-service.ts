import { type EventList, OutboundWebhookServiceService } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { type By, either, merchant, operator, rpc, serving } from '@svc/grpc'
import { resourceId, text } from '@svc/inputs'
import { EVENTS, PING } from '@svc/public-bodies'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { CLEARABLE } from '../domain/endpoint.ts'
import { SIGNATURE_VERSIONS } from '../domain/signature.ts'
import { outboundWebhookMessage, testAttemptMessage } from '../messages/outbound-webhook.ts'
import { getOutboundWebhook } from '../use-cases/get-outbound-webhook.ts'
import { getOutboundWebhooks } from '../use-cases/get-outbound-webhooks.ts'
import { rotateOutboundWebhookSecret } from '../use-cases/rotate-outbound-webhook-secret.ts'
import { testOutboundWebhook } from '../use-cases/test-outbound-webhook.ts'
import { updateOutboundWebhook } from '../use-cases/update-outbound-webhook.ts'
import { eventNames } from './pieces.ts'

const READ = operator('admin.merchants.read')
const WRITE = operator('admin.merchants.write')

const secret = text(256, 16).optional()

const patch = z
  .object({
    url: z.string().optional(),
    enabled: z.boolean().optional(),
    secret,
    events: z
      .custom<EventList | undefined>()
      .transform((list) => list?.events)
      .pipe(eventNames.optional()),
    signature_version: z.enum(SIGNATURE_VERSIONS).optional(),
    test_url: z.string().optional(),
    test_secret: secret,
    clear_fields: z.array(z.enum(CLEARABLE)),
    merchant_id: z.string().optional(),
  })
  .transform(({ signature_version, test_url, test_secret, clear_fields, merchant_id, ...change }) => ({
    merchantId: merchant_id,
    patch: {
      ...change,
      signatureVersion: signature_version,
      testUrl: test_url,
      testSecret: test_secret,
      clearFields: clear_fields,
    },
  }))
  .refine(
    ({ patch: { clearFields, ...values } }) =>
      clearFields.length > 0 || Object.values(values).some((value) => value !== undefined),
    {
      message: 'At least one field is required.',
      params: { rule: 'required' },
    },
  )

const seenBy = ({ caller }: By) => ({ onlySandbox: caller.isTest === true })

/** The rpcs of a merchant's endpoint; operators name the merchant. */
export const outboundWebhookService = serving<Context>()(OutboundWebhookServiceService, {
  getOutboundWebhook: rpc({
    // It tells no secret, and its URL and flags are part of what every credential reads of its own merchant; a change by
    // an operator is answered with it.
    access: either(merchant(), READ, WRITE),
    handle: async (ctx, by, { merchant_id: merchantId }) => ({
      webhook: outboundWebhookMessage(ctx.config, await getOutboundWebhook(ctx, by, { merchantId }), seenBy(by)),
    }),
  }),

  getOutboundWebhooks: rpc({
    access: READ,
    async handle(ctx, by, { merchant_ids }) {
      const all = await getOutboundWebhooks(ctx, by, { merchantIds: merchant_ids.map(resourceId) })
      return { webhooks: all.map((endpoints) => outboundWebhookMessage(ctx.config, endpoints, seenBy(by))) }
    },
  }),

  updateOutboundWebhook: rpc({
    access: either(merchant('webhooks:manage'), WRITE),
    input: patch,
    async handle(ctx, by, change) {
      const { endpoints, generatedSecret } = await updateOutboundWebhook(ctx, by, change)
      const webhook = outboundWebhookMessage(ctx.config, endpoints, seenBy(by))
      return { webhook, generated_secret: generatedSecret ?? undefined }
    },
  }),

  testOutboundWebhook: rpc({
    access: merchant('webhooks:manage'),
    input: z.object({ is_test: z.boolean(), event: z.enum([...EVENTS, PING]).default(PING) }),
    async handle(ctx, by, { is_test: isTest, event }) {
      const { eventId, result } = await testOutboundWebhook(ctx, by, { isTest, event })
      return { attempt: testAttemptMessage(result), event_id: eventId }
    },
  }),

  rotateOutboundWebhookSecret: rpc({
    access: merchant('webhooks:manage'),
    async handle(ctx, by) {
      const { secret: made, endpoint } = await rotateOutboundWebhookSecret(ctx, by)
      return { secret: made, previous_secret_expires_at: endpoint.previousSecretExpiresAt?.toISOString() }
    },
  }),
})
