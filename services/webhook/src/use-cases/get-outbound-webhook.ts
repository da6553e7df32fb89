import { type By, merchantNamed } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoints } from '../db/endpoints.ts'
import type { Endpoints } from '../domain/endpoint.ts'

/** The merchant's endpoints; a merchant that has set nothing has blank ones. Operators name the merchant. */
export async function getOutboundWebhook(
  ctx: Context,
  by: By,
  input: { merchantId?: string | undefined },
): Promise<Endpoints> {
  const merchantId = merchantNamed(by, input.merchantId)
  return findEndpoints(ctx.reads.in({ merchantId, isTest: null }), ctx.secretBox, merchantId)
}
