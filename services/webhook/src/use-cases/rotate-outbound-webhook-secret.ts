import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoints, saveEndpoints } from '../db/endpoints.ts'
import { type Endpoint, ownSandbox, rotateSecret } from '../domain/endpoint.ts'
import { generateSecret } from '../domain/signature.ts'
import { endpointAudit } from '../events.ts'

/** Replaces the secret of the endpoint of the caller's environment by a new one, which is returned this one time. */
export async function rotateOutboundWebhookSecret(
  ctx: Context,
  by: By<Tenant>,
): Promise<{ secret: string; endpoint: Endpoint }> {
  const { merchantId, isTest } = by.scope
  const onlySandbox = isTest === true
  return ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const before = await findEndpoints(tx, ctx.secretBox, merchantId, { lock: true })
    const own = onlySandbox ? ownSandbox(before) : before.live
    const version = own.signatureVersion ?? ctx.config.outboundWebhookSignatureVersion
    const secret = generateSecret()
    const endpoint = { ...rotateSecret(own, version, secret, tx.now), updatedAt: tx.now }
    const endpoints = { ...before, [onlySandbox ? 'sandbox' : 'live']: endpoint }
    await saveEndpoints(tx, ctx.secretBox, endpoints, { before, onlySandbox })
    tx.publish(endpointAudit(by.caller, 'merchant.outbound_webhook_rotate_secret', before, endpoints))
    return { secret, endpoint }
  })
}
