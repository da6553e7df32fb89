import { validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Scope } from '@svc/outbox'
import { actorOf } from '../acts/act.ts'
import { cancel } from '../acts/cancel.ts'
import type { Context } from '../context.ts'
import type { Order } from '../domain/order.ts'
import { actOnOrder } from '../settlement/act-on-order.ts'

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
  { id, reason, notes }: CancelInput,
): Promise<{ order: Order; changed: boolean }> {
  checkText('reason', reason, 1, 512)
  checkText('notes', notes ?? '', 0, 2000)
  return actOnOrder(ctx, cancel, { orderId: id, scope, by: actorOf(caller), reason, notes })
}

function checkText(field: string, text: string, min: number, max: number): void {
  if (text.length >= min && text.length <= max) return
  throw validationError([
    { field, rule: 'length', message: `${field} must have ${min} to ${max} characters.`, limit: max },
  ])
}
