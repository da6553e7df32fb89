import type { Context } from '../context.ts'
import { deleteTestOrders } from '../db/orders.ts'

const BATCH = 500

/** Deletes test orders older than the retention, with their timers, in short transactions; answers how many. */
export async function purgeTestOrders(ctx: Pick<Context, 'config' | 'database'>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await deleteTestOrders(ctx.database, ctx.config.sandboxRetentionDays, BATCH)
    total += count
    if (count < BATCH) return total
  }
}
