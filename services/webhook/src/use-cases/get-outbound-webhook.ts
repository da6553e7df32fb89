import type { Context } from '../context.ts'
import { findEndpoint, findEndpoints } from '../db/endpoints.ts'
import type { Endpoint } from '../domain/endpoint.ts'

/** The merchant's endpoint; a merchant that has set nothing has a blank one. */
export async function getOutboundWebhook(ctx: Context, merchantId: string): Promise<Endpoint> {
  return ctx.transact({ merchantId, isTest: null }, (tx) => findEndpoint(tx, ctx.secretBox, merchantId))
}

/** The endpoints of these merchants, in their order; one statement, however many they are. */
export async function getOutboundWebhooks(ctx: Context, merchantIds: readonly string[]): Promise<Endpoint[]> {
  return ctx.transact('every tenant', (tx) => findEndpoints(tx, ctx.secretBox, merchantIds))
}
