import { ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditFact } from '@svc/outbox'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import { billingRefusal } from '../domain/gate.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { outOfOrder } from '../domain/status-guard.ts'
import { announce } from './announce.ts'
import { auditedBy } from './audited-by.ts'
import { writeTenant } from './write-tenant.ts'

export interface OrderChanges {
  status?: string | undefined
  paymentVerified?: boolean | undefined
  /** The status that the caller believes the order to have. */
  expectedStatus?: string | undefined
}

/**
 * Sets the status, the payment mark or both under the lock of the order: what of a race comes later is what stays, and
 * the facts tell the same story. A status that the order has already announces nothing.
 */
export async function updateOrder(ctx: Context, caller: Caller, id: string, changes: OrderChanges): Promise<Order> {
  const tenant = writeTenant(caller)
  checkChanges(changes)
  const refusal = ctx.config.billingEnforcement ? billingRefusal(caller.standing) : null
  if (refusal) throw refusal

  return ctx.transact(tenant, async (tx) => {
    const order = await lockOrder(tx.em, tenant, id)
    const { status: previousStatus } = order
    const {
      status = previousStatus,
      paymentVerified = order.paymentVerified,
      expectedStatus = previousStatus,
    } = changes
    if (expectedStatus !== previousStatus) {
      throw new ServiceError('status_conflict', {
        details: { status: previousStatus, expected_status: expectedStatus },
      })
    }
    guard(ctx, order, status)
    order.markPayment(paymentVerified, tx.now)
    const announcements = order.changeStatus(status, tx.now)
    await announce(ctx, tx, order, announcements)
    if (announcements.length > 0 && isTerminal(previousStatus)) {
      tx.publish(auditFact(auditedBy(caller, order, 'order.status_override', { status: previousStatus }, { status })))
    }
    return order
  })
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

function guard(ctx: Context, order: Order, status: string): void {
  const { orderStatusGuard } = ctx.config
  const allowed = orderStatusGuard === 'off' ? null : outOfOrder(order.status, status)
  if (!allowed) return
  if (orderStatusGuard === 'strict')
    throw new ServiceError('invalid_transition', { details: { status: order.status, allowed } })
  ctx.logger.warn({ order_id: order.id, from: order.status, to: status }, 'a merchant set a status out of order')
}
