import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpoints } from '../db/endpoints.ts'
import type { Endpoint } from '../domain/endpoint.ts'

/** The endpoints of these merchants, in their order; one statement, however many they are. */
export async function getOutboundWebhooks(
  ctx: Context,
  by: By<'every tenant'>,
  { merchantIds }: { merchantIds: readonly string[] },
): Promise<Endpoint[]> {
  return ctx.transact(by.scope, (tx) => findEndpoints(tx, ctx.secretBox, merchantIds))
}
