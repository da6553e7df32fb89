import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Scope } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockRiderOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { type RiderIdentity, riderScope } from '../domain/rider-reach.ts'
import { announce } from './announce.ts'
import type { Change } from './change.ts'
import { makeChange } from './make-change.ts'
import { once } from './once.ts'

/**
 * The calling rider gives an order back that was given to it without asking: invalid_transition once it has acted itself.
 * Afterwards the order is not this rider's, also for a repeat of the call.
 */
export async function declineRiderOrder(
  ctx: Context,
  { caller: { actor, isTest, merchantId } }: By,
  { orderId, reason }: { orderId: string; reason: string | null },
): Promise<Order> {
  const scope = riderScope({ isTest, merchantId })
  if (!scope) throw new ServiceError('not_found')
  return makeChange(ctx, riderDecline, { orderId, scope, rider: { actor, isTest }, reason })
}

interface RiderDecline {
  orderId: string
  scope: Scope
  rider: RiderIdentity
  reason: string | null
}

export const riderDecline: Change<RiderDecline, Order> = {
  kind: 'rider_decline',
  scope: ({ scope }) => scope,
  sameAs: ({ rider }) => `decline:${rider.actor.id}`,
  lock: (tx, { scope, rider, orderId }) => lockRiderOrder(tx.em, scope, rider, orderId),
  async apply({ ctx, tx, order, isSettled }, { rider, reason }) {
    const { id } = rider.actor
    const key = `decline:${order.id}:${order.assignmentVersion}`
    const work = async () => {
      await announce(ctx, tx, order, order.giveBack(reason, tx.now))
      return { lost: null, previousRiderId: id, riderId: null, actorType: 'rider', actorId: id }
    }
    await once(tx, order, { kind: 'assignment', key }, work, { isSettled })
    return order
  },
}
