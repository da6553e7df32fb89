import type { OutboundWebhookServiceService } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { type Call, type Handlers, requireAdmin, requireMerchant } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { outboundWebhookMessage, testAttemptMessage } from '../messages/outbound-webhook.ts'
import { getOutboundWebhook } from '../use-cases/get-outbound-webhook.ts'
import { rotateOutboundWebhookSecret } from '../use-cases/rotate-outbound-webhook-secret.ts'
import { testOutboundWebhook } from '../use-cases/test-outbound-webhook.ts'
import { updateOutboundWebhook } from '../use-cases/update-outbound-webhook.ts'
import { resourceId } from './fields.ts'

const SCOPE = 'webhooks:manage'

/** The rpcs of a merchant's endpoint; operators name the merchant. */
export function outboundWebhookService(ctx: Context): Handlers<typeof OutboundWebhookServiceService> {
  const webhook = (endpoint: Endpoint) => outboundWebhookMessage(endpoint, ctx.config.outboundWebhookSignatureVersion)
  return {
    async getOutboundWebhook({ merchant_id }, call) {
      const merchantId = merchantOf(call, merchant_id, 'admin.merchants.read')
      return { webhook: webhook(await getOutboundWebhook(ctx, merchantId)) }
    },

    async updateOutboundWebhook(request, call) {
      const merchantId = merchantOf(call, request.merchant_id, 'admin.merchants.write')
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

function merchantOf(call: Call, named: string | undefined, permission: string): string {
  if (named === undefined) return requireMerchant(call, SCOPE).merchantId
  requireAdmin(call, permission)
  return resourceId(named)
}
