import { randomBytes } from 'node:crypto'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoint, saveEndpoint } from '../db/endpoints.ts'
import { type Endpoint, type EndpointPatch, patchEndpoint } from '../domain/endpoint.ts'
import { endpointAudit } from '../events.ts'

/**
 * 32 random bytes; printable, so that it can be copied into any configuration, and without the prefix that Standard
 * Webhooks libraries would take off before they decode the rest.
 */
export const generateSecret = (): string => randomBytes(32).toString('base64url')

/** Changes the endpoint as a whole or not at all. A secret that the service makes is returned here and never again. */
export async function updateOutboundWebhook(
  ctx: Context,
  caller: Caller,
  merchantId: string,
  patch: EndpointPatch,
): Promise<{ endpoint: Endpoint; generatedSecret: string | null }> {
  const updated = await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const before = await findEndpoint(tx, ctx.secretBox, merchantId, { lock: true })
    const patched = patchEndpoint(before, patch, { allowLocal: ctx.config.webhookAllowLocal, generateSecret })
    const endpoint = { ...patched.endpoint, updatedAt: tx.now }
    await saveEndpoint(tx, ctx.secretBox, endpoint)
    tx.publish(endpointAudit(caller, 'merchant.outbound_webhook_patch', before, endpoint))
    return { ...patched, endpoint }
  })
  ctx.wakeDeliveries()
  return updated
}
