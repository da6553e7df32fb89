import { ServiceError } from '@svc/errors'
import { lockOrder } from '../db/orders.ts'
import type { Order } from '../domain/order.ts'
import { isTerminal } from '../domain/order-status.ts'
import { outOfOrder } from '../domain/status-guard.ts'
import { orderAudit } from '../events.ts'
import { announce } from '../use-cases/announce.ts'
import type { WriteTenant } from '../use-cases/write-tenant.ts'
import type { Act, Actor, Deed } from './act.ts'

export interface OrderChanges {
  status?: string | undefined
  paymentVerified?: boolean | undefined
  /** The status that the caller believes the order to have. */
  expectedStatus?: string | undefined
}

export interface Update {
  orderId: string
  tenant: WriteTenant
  by: Actor
  changes: OrderChanges
}

/** A merchant sets the status, the payment mark or both. */
export const update: Act<Update, Order> = {
  kind: 'update',
  scope: ({ tenant }) => tenant,
  aim: ({ changes: { status = '', expectedStatus = '' } }) => `update:${expectedStatus}>${status}`,
  find: (tx, { tenant, orderId }) => lockOrder(tx.em, tenant, orderId),
  async perform(deed, { by, changes }) {
    const { ctx, tx, order, isShared } = deed
    const { status: before } = order
    const { status = before, paymentVerified = order.paymentVerified, expectedStatus = before } = changes
    if (expectedStatus !== before && !(isShared && status === before)) {
      throw new ServiceError('status_conflict', { details: { status: before, expected_status: expectedStatus } })
    }
    guard(deed, status)
    order.markPayment(paymentVerified, tx.now)
    const announcements = order.changeStatus(status, tx.now)
    await announce(ctx, tx, order, announcements)
    if (announcements.length > 0 && isTerminal(before)) {
      tx.publish(orderAudit(by, order, 'order.status_override', { status: before }, { status }))
    }
    return order
  },
}

function guard({ ctx, order, isSettled }: Deed, status: string): void {
  const { orderStatusGuard } = ctx.config
  const allowed = orderStatusGuard === 'off' || isSettled ? null : outOfOrder(order.status, status)
  if (!allowed) return
  if (orderStatusGuard === 'strict')
    throw new ServiceError('invalid_transition', { details: { status: order.status, allowed } })
  ctx.logger.warn({ order_id: order.id, from: order.status, to: status }, 'a merchant set a status out of order')
}
