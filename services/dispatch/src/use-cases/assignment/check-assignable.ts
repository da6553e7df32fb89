import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { countActiveOrders } from '../../db/active-riders.ts'
import { lockRider } from '../../db/riders.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'

/** Returns if the rider would be given a new order of the tenant now, money aside; throws as the assignment would. */
export async function checkAssignable(ctx: Context, { scope }: By<Tenant>, riderId: string): Promise<void> {
  const order = { merchantId: scope.merchantId, isTest: scope.isTest === true }
  await ctx.transact('every tenant', async (tx) => {
    const rider = requireRiderOf(order, await lockRider(tx, riderId))
    requireReady(rider, await countActiveOrders(tx, riderId, order), ctx.config)
  })
}
