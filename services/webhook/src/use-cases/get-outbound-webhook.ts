import { type By, merchantNamed } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoint } from '../db/endpoints.ts'
import type { Endpoint } from '../domain/endpoint.ts'

/** The merchant's endpoint; a merchant that has set nothing has a blank one. Operators name the merchant. */
export async function getOutboundWebhook(
  ctx: Context,
  by: By,
  input: { merchantId?: string | undefined },
): Promise<Endpoint> {
  const merchantId = merchantNamed(by, input.merchantId)
  return ctx.transact({ merchantId, isTest: null }, (tx) => findEndpoint(tx, ctx.secretBox, merchantId))
}
