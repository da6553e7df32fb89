import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findIngested } from '../db/orders.ts'
import { type IngestedKey, ingestedOf } from '../domain/ingested.ts'
import type { Order } from '../domain/order.ts'
import { cancel } from './cancel-order.ts'
import { makeChange } from './make-change.ts'

/** Cancels an order that hooks made, where the policy lets its merchant cancel it. */
export async function cancelIngestedOrder(
  ctx: Context,
  { caller: { requestId } }: By,
  { key, reason }: { key: IngestedKey; reason: string },
): Promise<{ order: Order; changed: boolean }> {
  const order = await ctx.transact('every tenant', async (tx) => ingestedOf(await findIngested(tx.em, key), key))
  const { id: orderId, merchantId, isTest } = order
  const by = { kind: 'system', actor: { type: 'provider', id: key.source }, requestId } as const
  return makeChange(ctx, cancel, { orderId, scope: { merchantId, isTest }, by, reason, notes: null })
}
