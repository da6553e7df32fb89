import type { Scope } from '@svc/outbox'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { orderAudit } from '../events.ts'
import { announce } from '../use-cases/announce.ts'
import type { Act, Actor } from './act.ts'

export interface Cancel {
  orderId: string
  scope: Scope
  by: Actor
  reason: string
  notes: string | null
}

/** A merchant or an operator ends the order. */
export const cancel: Act<Cancel, { order: Order; changed: boolean }> = {
  kind: 'cancel',
  scope: ({ scope }) => scope,
  aim: ({ by }) => `cancel:${by.kind}`,
  find: (tx, { scope, orderId }) => lockOrder(tx.em, scope, orderId),
  async perform({ ctx, tx, order }, { by, reason, notes }) {
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
