import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findIngested } from '../db/orders.ts'
import { type IngestedKey, ingestedOf } from '../domain/ingested.ts'
import type { Order } from '../domain/order.ts'
import { makeChange } from './make-change.ts'
import { update } from './update-order.ts'

/** Sets the payment mark of an order that hooks made; a mark that it has already changes nothing. */
export async function updateIngestedOrder(
  ctx: Context,
  { caller: { requestId } }: By,
  { key, paymentVerified }: { key: IngestedKey; paymentVerified: boolean },
): Promise<Order> {
  const order = await ctx.transact('every tenant', async (tx) => ingestedOf(await findIngested(tx.em, key), key))
  if (order.paymentVerified === paymentVerified) return order
  const { id: orderId, merchantId, isTest } = order
  const by = { kind: 'system', actor: { type: 'provider', id: key.source }, requestId } as const
  return makeChange(ctx, update, { orderId, tenant: { merchantId, isTest }, by, changes: { paymentVerified } })
}
