import type { Idempotency } from '@svc/contracts/common/v1/common'
import type { Context } from '../context.ts'
import { replaceReply } from '../db/idempotent-replies.ts'
import { findOrder } from '../db/orders.ts'
import type { WriteTenant } from '../domain/tenant.ts'
import type { Creation } from '../messages/creation-reply.ts'
import { orderMessage } from '../messages/order.ts'
import { ASSIGN } from './assign.ts'

/**
 * Gives a new order to the rider that its creation names, and answers the order as it is then. Where dispatch does not
 * answer in time the order stands, without its rider, and the assignment goes on by itself.
 */
export async function giveToRider(
  ctx: Context,
  tenant: WriteTenant,
  creation: Creation,
  idempotency?: Idempotency,
): Promise<Creation> {
  await ctx.intents.drive(ASSIGN, creation.order.id)
  return ctx.transact(tenant, async (tx) => {
    const order = await findOrder(tx.em, tenant, creation.order.id)
    const given = { ...creation, order: orderMessage(order, ctx.config.trackingBaseUrl) }
    if (idempotency) await replaceReply(tx, tenant, idempotency, given)
    return given
  })
}
