import { type By, merchantNamed } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoints, saveEndpoints } from '../db/endpoints.ts'
import { type EndpointPatch, type Endpoints, patchEndpoints, patchSandbox } from '../domain/endpoint.ts'
import { generateSecret } from '../domain/signature.ts'
import { endpointAudit } from '../events.ts'

interface UpdateOutboundWebhook {
  /** As operators name it. */
  merchantId?: string | undefined
  patch: EndpointPatch
}

/**
 * Changes the endpoints as a whole or not at all; a test credential changes that of the sandbox alone. A secret that the
 * service makes is returned this one time.
 */
export async function updateOutboundWebhook(
  ctx: Context,
  by: By,
  { merchantId: named, patch }: UpdateOutboundWebhook,
): Promise<{ endpoints: Endpoints; generatedSecret: string | null }> {
  const merchantId = merchantNamed(by, named)
  const onlySandbox = by.caller.isTest === true
  const patched = onlySandbox ? patchSandbox : patchEndpoints
  const updated = await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const before = await findEndpoints(tx, ctx.secretBox, merchantId, { lock: true })
    const { webhookAllowLocal: allowLocal, webhookRefusedNetworks: refused } = ctx.config
    const options = { allowLocal, refused, generateSecret, now: tx.now }
    const { endpoints, generatedSecret } = patched(before, patch, options)
    await saveEndpoints(tx, ctx.secretBox, endpoints, { before, onlySandbox })
    tx.publish(endpointAudit(by.caller, 'merchant.outbound_webhook_patch', before, endpoints))
    return { endpoints, generatedSecret }
  })
  ctx.deliveries.wake()
  return updated
}
