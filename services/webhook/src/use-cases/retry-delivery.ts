import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type DeliveryRow, lockDelivery, requeueDelivery, shownTo } from '../db/deliveries.ts'
import { findEndpoints } from '../db/endpoints.ts'
import { wakeLanes } from '../db/lanes.ts'
import { assertMayRepeat } from '../domain/endpoint.ts'
import { deliveryRetryAudit } from '../events.ts'

/** Queues a pending or dead delivery again with its attempts reset; operators may do so for every merchant. */
export async function retryDelivery(ctx: Context, by: By, { id }: { id: string }): Promise<DeliveryRow> {
  const requeued = await ctx.transact(by.scope, async (tx) => {
    const before = await lockDelivery(tx, by.scope, id)
    if (!before) throw new ServiceError('not_found')
    if (before.status === 'succeeded') throw new ServiceError('delivery_already_succeeded')
    if (by.scope !== 'every tenant') {
      assertMayRepeat(by.scope.isTest, await findEndpoints(tx, ctx.secretBox, by.scope.merchantId))
    }
    const after = await requeueDelivery(tx, id)
    await wakeLanes(tx, [{ merchantId: after.merchant_id, isTest: after.is_test }])
    tx.publish(deliveryRetryAudit(by.caller, before, after))
    if (by.scope === 'every tenant') return after
    const [shown = after] = await shownTo(tx, by.scope, [after])
    return shown
  })
  ctx.deliveries.wake()
  return requeued
}
