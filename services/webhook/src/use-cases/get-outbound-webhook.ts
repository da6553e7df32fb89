import type { Context } from '../context.ts'
import { findEndpoint } from '../db/endpoints.ts'
import type { Endpoint } from '../domain/endpoint.ts'

/** The merchant's endpoint; a merchant that has set nothing has a blank one. */
export async function getOutboundWebhook(ctx: Context, merchantId: string): Promise<Endpoint> {
  return ctx.transact({ merchantId, isTest: null }, (tx) => findEndpoint(tx, ctx.secretBox, merchantId))
}
