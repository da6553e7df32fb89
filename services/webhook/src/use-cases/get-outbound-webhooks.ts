import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findEndpointsOfAll } from '../db/endpoints.ts'
import type { Endpoints } from '../domain/endpoint.ts'

/** The endpoints of these merchants, in their order; one statement, however many they are. */
export async function getOutboundWebhooks(
  ctx: Context,
  by: By<'every tenant'>,
  { merchantIds }: { merchantIds: readonly string[] },
): Promise<Endpoints[]> {
  return findEndpointsOfAll(ctx.reads.in(by.scope), ctx.secretBox, merchantIds)
}
