import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoint, saveEndpoint } from '../db/endpoints.ts'
import { type Endpoint, rotateSecret } from '../domain/endpoint.ts'
import { endpointAudit } from '../events.ts'
import { generateSecret } from './update-outbound-webhook.ts'

/** Replaces the secret by a new one, which is returned here and never again. */
export async function rotateOutboundWebhookSecret(
  ctx: Context,
  caller: Caller,
  merchantId: string,
): Promise<{ secret: string; endpoint: Endpoint }> {
  return ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const before = await findEndpoint(tx, ctx.secretBox, merchantId, { lock: true })
    const version = before.signatureVersion ?? ctx.config.outboundWebhookSignatureVersion
    const secret = generateSecret()
    const endpoint = { ...rotateSecret(before, version, secret, tx.now), updatedAt: tx.now }
    await saveEndpoint(tx, ctx.secretBox, endpoint)
    tx.publish(endpointAudit(caller, 'merchant.outbound_webhook_rotate_secret', before, endpoint))
    return { secret, endpoint }
  })
}
