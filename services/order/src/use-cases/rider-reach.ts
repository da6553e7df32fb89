import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Scope, Tx } from '@svc/outbox'
import { findOrder, lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'

/**
 * Where the orders of a rider lie: a rider's live orders are those of every merchant; the shared sandbox rider has the
 * test orders of the merchant that its token is bound to, and none without one (null).
 */
export function riderScope({ isTest, merchantId }: Caller): Scope | null {
  if (isTest !== true) return 'every tenant'
  return merchantId ? { merchantId, isTest: true } : null
}

/** Which rider, of which environment. */
export type RiderIdentity = Pick<Caller, 'actor' | 'isTest'>

/** An order of the calling rider; not_found for unknown orders and for those of others alike. */
export async function findRiderOrder(tx: Tx, scope: Scope, caller: RiderIdentity, id: string): Promise<Order> {
  return own(await findOrder(tx.em, scope, id), caller)
}

/** The same, locked until the transaction ends. */
export async function lockRiderOrder(tx: Tx, scope: Scope, caller: RiderIdentity, id: string): Promise<Order> {
  return own(await lockOrder(tx.em, scope, id), caller)
}

function own(order: Order, { actor, isTest }: RiderIdentity): Order {
  if (order.riderId !== actor.id || order.isTest !== (isTest === true)) throw new ServiceError('not_found')
  return order
}
