import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { countDeliveries } from '../../db/billed-deliveries.ts'
import { readBillingAccount } from '../../db/billing-accounts.ts'
import { type Usage, usageOf } from '../../domain/usage.ts'

/** Live deliveries of the present cycle against what the tier comprises. */
export async function getBillingUsage(ctx: Context, { scope }: By<Tenant>): Promise<Usage & { cycleEnd: Date }> {
  const { merchantId } = scope
  const account = await ctx.transact('every tenant', (tx) => readBillingAccount(tx, merchantId))
  const { cycleStart, cycleEnd } = account
  const used = await countDeliveries(ctx, scope, cycleStart, cycleEnd)
  return { ...usageOf(used, account), cycleEnd }
}
