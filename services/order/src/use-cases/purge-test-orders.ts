import type { Context } from '../context.ts'

const BATCH = 500

/** Deletes test orders older than the retention, with their timers, in short transactions; answers how many. */
export async function purgeTestOrders(ctx: Pick<Context, 'config' | 'database'>): Promise<number> {
  let total = 0
  for (;;) {
    const { rowCount } = await ctx.database.worker.query(
      `DELETE FROM orders WHERE id = ANY(ARRAY(
         SELECT id FROM orders WHERE is_test AND created_at < (SELECT app_now()) - make_interval(days => $1)
          ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
      [ctx.config.sandboxRetentionDays],
    )
    total += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) return total
  }
}
