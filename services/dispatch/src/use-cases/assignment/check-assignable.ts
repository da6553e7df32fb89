import type { Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { countActiveOrders } from '../../db/active-riders.ts'
import { lockRider } from '../../db/lock-rider.ts'
import { requireReady, requireRiderOf } from '../../domain/assignable.ts'

const NO_ORDER = '00000000-0000-0000-0000-000000000000'

/** Returns if the rider would be given a new order of the tenant now, money aside; throws as the assignment would. */
export async function checkAssignable(ctx: Context, { merchantId, isTest }: Tenant, riderId: string): Promise<void> {
  await ctx.transact('every tenant', async (tx) => {
    const rider = requireRiderOf({ merchantId, isTest: isTest === true }, await lockRider(tx, riderId))
    requireReady(rider, await countActiveOrders(tx, riderId, NO_ORDER), ctx.config)
  })
}
