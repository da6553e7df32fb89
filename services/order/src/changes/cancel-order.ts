import type { By } from '@svc/grpc'
import type { Scope } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { orderAudit } from '../events.ts'
import { announce } from './announce.ts'
import { type Actor, actorOf, type Change } from './change.ts'
import { makeChange } from './make-change.ts'

interface Cancelled {
  order: Order
  changed: boolean
}

/** Cancels an order. Cancelling a cancelled order changes nothing and is not an error; an operator's cancel is audited. */
export async function cancelOrder(
  ctx: Context,
  { caller, scope }: By,
  input: { orderId: string; reason: string; notes: string | null },
): Promise<Cancelled> {
  return makeChange(ctx, cancel, { ...input, scope, by: actorOf(caller) })
}

interface Cancel {
  orderId: string
  scope: Scope
  by: Actor
  reason: string
  notes: string | null
}

export const cancel: Change<Cancel, Cancelled> = {
  kind: 'cancel',
  scope: ({ scope }) => scope,
  sameAs: ({ by }) => `cancel:${by.kind}`,
  lock: (tx, { scope, orderId }) => lockOrder(tx.em, scope, orderId),
  async apply({ ctx, tx, order }, { by, reason, notes }) {
    const { status } = order
    const { type: actorType, id: actorId } = by.actor
    const announcements = order.cancel({ reason, notes, actorType, actorId }, ctx.config.cancelPolicy, tx.now)
    const changed = announcements.length > 0
    await announce(ctx, tx, order, announcements)
    if (changed && by.kind === 'admin') {
      const after = { status: order.status, reason, notes }
      tx.publish(orderAudit(by, order, 'order.admin_cancel', { status }, after))
    }
    return { order, changed }
  },
}
