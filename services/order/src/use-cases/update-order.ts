import { validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { actorOf } from '../acts/act.ts'
import { type OrderChanges, update } from '../acts/update.ts'
import type { Context } from '../context.ts'
import { billingRefusal } from '../domain/gate.ts'
import type { Order } from '../domain/order.ts'
import { actOnOrder } from '../settlement/act-on-order.ts'
import { writeTenant } from './write-tenant.ts'

/**
 * Sets the status, the payment mark or both under the lock of the order: what of a race comes later is what stays, and
 * the facts tell the same story. A status that the order has already announces nothing.
 */
export async function updateOrder(ctx: Context, caller: Caller, id: string, changes: OrderChanges): Promise<Order> {
  const tenant = writeTenant(caller)
  checkChanges(changes)
  const refusal = ctx.config.billingEnforcement ? billingRefusal(caller.standing) : null
  if (refusal) throw refusal
  return actOnOrder(ctx, update, { orderId: id, tenant, by: actorOf(caller), changes })
}

function checkChanges({ status, paymentVerified }: OrderChanges): void {
  if (status === undefined && paymentVerified === undefined) {
    throw validationError([
      { field: 'status', rule: 'required', message: 'status, payment_verified or both are required.' },
    ])
  }
  if (status !== undefined && (status === '' || status.length > 128)) {
    throw validationError([
      { field: 'status', rule: 'length', message: 'status must have 1 to 128 characters.', limit: 128 },
    ])
  }
}
