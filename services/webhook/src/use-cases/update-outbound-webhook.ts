import { type By, merchantNamed } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoint, saveEndpoint } from '../db/endpoints.ts'
import { type Endpoint, type EndpointPatch, patchEndpoint } from '../domain/endpoint.ts'
import { generateSecret } from '../domain/signature.ts'
import { endpointAudit } from '../events.ts'

interface UpdateOutboundWebhook {
  /** As operators name it. */
  merchantId?: string | undefined
  patch: EndpointPatch
}

/** Changes the endpoint as a whole or not at all. A secret that the service makes is returned this one time. */
export async function updateOutboundWebhook(
  ctx: Context,
  by: By,
  { merchantId: named, patch }: UpdateOutboundWebhook,
): Promise<{ endpoint: Endpoint; generatedSecret: string | null }> {
  const merchantId = merchantNamed(by, named)
  const updated = await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const before = await findEndpoint(tx, ctx.secretBox, merchantId, { lock: true })
    const patched = patchEndpoint(before, patch, { allowLocal: ctx.config.webhookAllowLocal, generateSecret })
    const endpoint = { ...patched.endpoint, updatedAt: tx.now }
    await saveEndpoint(tx, ctx.secretBox, endpoint)
    tx.publish(endpointAudit(by.caller, 'merchant.outbound_webhook_patch', before, endpoint))
    return { ...patched, endpoint }
  })
  ctx.deliveries.wake()
  return updated
}
