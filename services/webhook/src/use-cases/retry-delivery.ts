import type { Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../context.ts'
import { type DeliveryRow, lockDelivery, requeueDelivery } from '../db/deliveries.ts'
import { wakeLanes } from '../db/event-log.ts'
import { deliveryRetryAudit } from '../events.ts'

/** Queues a pending or dead delivery again with its attempts reset; operators (no tenant) may do so for every merchant. */
export async function retryDelivery(
  ctx: Context,
  caller: Caller,
  tenant: Tenant | null,
  id: string,
): Promise<DeliveryRow> {
  const requeued = await ctx.transact(tenant ?? 'every tenant', async (tx) => {
    const before = await lockDelivery(tx, tenant, id)
    if (!before) throw new ServiceError('not_found')
    if (before.status === 'succeeded') throw new ServiceError('delivery_already_succeeded')
    const after = await requeueDelivery(tx, id)
    await wakeLanes(tx, [{ merchantId: after.merchant_id, isTest: after.is_test }])
    tx.publish(deliveryRetryAudit(caller, before, after))
    return after
  })
  ctx.wakeDeliveries()
  return requeued
}
