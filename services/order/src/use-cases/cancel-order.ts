import { validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditFact, type Scope } from '@svc/outbox'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { announce } from './announce.ts'
import { auditedBy } from './audited-by.ts'

export interface CancelInput {
  id: string
  reason: string
  notes: string | null
}

/** Cancels an order. Cancelling a cancelled order changes nothing and is not an error; an operator's cancel is audited. */
export async function cancelOrder(
  ctx: Context,
  caller: Caller,
  scope: Scope,
  input: CancelInput,
): Promise<{ order: Order; changed: boolean }> {
  checkText('reason', input.reason, 1, 512)
  checkText('notes', input.notes ?? '', 0, 2000)
  return ctx.transact(scope, async (tx) => {
    const order = await lockOrder(tx.em, scope, input.id)
    const { status } = order
    const { type: actorType, id: actorId } = caller.actor
    const { reason, notes } = input
    const announcements = order.cancel({ reason, notes, actorType, actorId }, ctx.config.cancelPolicy, tx.now)
    const changed = announcements.length > 0
    await announce(ctx, tx, order, announcements)
    if (changed && caller.kind === 'admin') {
      tx.publish(
        auditFact(auditedBy(caller, order, 'order.admin_cancel', { status }, { status: order.status, reason, notes })),
      )
    }
    return { order, changed }
  })
}

function checkText(field: string, text: string, min: number, max: number): void {
  if (text.length >= min && text.length <= max) return
  throw validationError([
    { field, rule: 'length', message: `${field} must have ${min} to ${max} characters.`, limit: max },
  ])
}
