import type { OutboundWebhookServiceService } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { type Call, type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { outboundWebhookMessage, testAttemptMessage } from '../messages/outbound-webhook.ts'
import { getOutboundWebhook, getOutboundWebhooks } from '../use-cases/get-outbound-webhook.ts'
import { rotateOutboundWebhookSecret } from '../use-cases/rotate-outbound-webhook-secret.ts'
import { testOutboundWebhook } from '../use-cases/test-outbound-webhook.ts'
import { updateOutboundWebhook } from '../use-cases/update-outbound-webhook.ts'

const SCOPE = 'webhooks:manage'
const READ = 'admin.merchants.read'
const WRITE = 'admin.merchants.write'

/** The rpcs of a merchant's endpoint; operators name the merchant. */
export function outboundWebhookService(ctx: Context): Handlers<typeof OutboundWebhookServiceService> {
  const webhook = (endpoint: Endpoint) => outboundWebhookMessage(endpoint, ctx.config.outboundWebhookSignatureVersion)
  return {
    async getOutboundWebhook({ merchant_id }, call) {
      // It tells no secret, and its URL and flags are part of what every credential reads of its own merchant.
      const merchantId = merchant_id ? asOperator(call, merchant_id, READ) : requireMerchant(call).merchantId
      return { webhook: webhook(await getOutboundWebhook(ctx, merchantId)) }
    },

    async getOutboundWebhooks({ merchant_ids }, call) {
      requireAdmin(call, READ)
      return { webhooks: (await getOutboundWebhooks(ctx, merchant_ids.map(resourceId))).map(webhook) }
    },

    async updateOutboundWebhook(request, call) {
      const { merchant_id } = request
      const merchantId = merchant_id ? asOperator(call, merchant_id, WRITE) : requireMerchant(call, SCOPE).merchantId
      const { endpoint, generatedSecret } = await updateOutboundWebhook(ctx, call.caller, merchantId, {
        url: request.url,
        enabled: request.enabled,
        secret: request.secret,
        events: request.events?.events,
        signatureVersion: request.signature_version,
        testUrl: request.test_url,
        testSecret: request.test_secret,
        clearFields: request.clear_fields,
      })
      return { webhook: webhook(endpoint), generated_secret: generatedSecret ?? undefined }
    },

    async testOutboundWebhook({ is_test }, call) {
      const { merchantId } = requireMerchant(call, SCOPE)
      const { eventId, result } = await testOutboundWebhook(ctx, merchantId, is_test || call.caller.isTest === true)
      return { attempt: testAttemptMessage(result), event_id: eventId }
    },

    async rotateOutboundWebhookSecret(_request, call) {
      const { merchantId } = requireMerchant(call, SCOPE)
      const { secret, endpoint } = await rotateOutboundWebhookSecret(ctx, call.caller, merchantId)
      return { secret, previous_secret_expires_at: endpoint.previousSecretExpiresAt?.toISOString() }
    },
  }
}

function asOperator(call: Call, merchantId: string, permission: string): string {
  requireAdmin(call, permission)
  return resourceId(merchantId)
}
