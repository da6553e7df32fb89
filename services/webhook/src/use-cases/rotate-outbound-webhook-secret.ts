import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoint, saveEndpoint } from '../db/endpoints.ts'
import { type Endpoint, rotateSecret } from '../domain/endpoint.ts'
import { generateSecret } from '../domain/signature.ts'
import { endpointAudit } from '../events.ts'

/** Replaces the secret by a new one, which is returned this one time. */
export async function rotateOutboundWebhookSecret(
  ctx: Context,
  by: By<Tenant>,
): Promise<{ secret: string; endpoint: Endpoint }> {
  const { merchantId } = by.scope
  return ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const before = await findEndpoint(tx, ctx.secretBox, merchantId, { lock: true })
    const version = before.signatureVersion ?? ctx.config.outboundWebhookSignatureVersion
    const secret = generateSecret()
    const endpoint = { ...rotateSecret(before, version, secret, tx.now), updatedAt: tx.now }
    await saveEndpoint(tx, ctx.secretBox, endpoint)
    tx.publish(endpointAudit(by.caller, 'merchant.outbound_webhook_rotate_secret', before, endpoint))
    return { secret, endpoint }
  })
}
