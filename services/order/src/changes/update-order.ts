import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { outOfOrder } from '../domain/status-guard.ts'
import { type WriteTenant, writeTenant } from '../domain/tenant.ts'
import { tradingRefusal } from '../domain/trading.ts'
import { orderAudit } from '../events.ts'
import { announce } from './announce.ts'
import { type Actor, actorOf, type Change, type Locked } from './change.ts'
import { makeChange } from './make-change.ts'

interface Wanted {
  status?: string | undefined
  paymentVerified?: boolean | undefined
  /** The status that the caller believes the order to have. */
  expectedStatus?: string | undefined
}

/**
 * Sets the status, the payment mark or both under the lock of the order: what of a race comes later is what stays, and
 * the facts tell the same story. A status that the order has already announces nothing.
 */
export async function updateOrder(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { orderId, ...changes }: Wanted & { orderId: string },
): Promise<Order> {
  const tenant = writeTenant(scope)
  const refusal = tradingRefusal(caller.standing, { verified: false, paid: ctx.config.billingEnforcement })
  if (refusal) throw refusal
  return makeChange(ctx, update, { orderId, tenant, by: actorOf(caller), changes })
}

interface Update {
  orderId: string
  tenant: WriteTenant
  by: Actor
  changes: Wanted
}

export const update: Change<Update, Order> = {
  kind: 'update',
  scope: ({ tenant }) => tenant,
  sameAs: ({ changes: { status = '', expectedStatus = '' } }) => `update:${expectedStatus}>${status}`,
  lock: (tx, { tenant, orderId }) => lockOrder(tx.em, tenant, orderId),
  async apply(on, { by, changes }) {
    const { ctx, tx, order, isShared } = on
    const { status: before } = order
    const { status = before, paymentVerified = order.paymentVerified, expectedStatus = before } = changes
    if (expectedStatus !== before && !(isShared && status === before)) {
      throw new ServiceError('status_conflict', { details: { status: before, expected_status: expectedStatus } })
    }
    guard(on, status)
    order.markPayment(paymentVerified, tx.now)
    const announcements = order.changeStatus(status, tx.now)
    await announce(ctx, tx, order, announcements)
    if (announcements.length > 0 && isTerminal(before)) {
      tx.publish(orderAudit(by, order, 'order.status_override', { status: before }, { status }))
    }
    return order
  },
}

function guard({ ctx, order, isSettled }: Locked, status: string): void {
  const { orderStatusGuard } = ctx.config
  const allowed = orderStatusGuard === 'off' || isSettled ? null : outOfOrder(order.status, status)
  if (!allowed) return
  if (orderStatusGuard === 'strict')
    throw new ServiceError('invalid_transition', { details: { status: order.status, allowed } })
  ctx.logger.warn({ order_id: order.id, from: order.status, to: status }, 'a merchant set a status out of order')
}
