import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { purgeTestOrders } from '../use-cases/purge-test-orders.ts'

/** Deletes test orders that are past their time, now and then. */
export const sandboxSweeper = (ctx: Pick<Context, 'config' | 'database' | 'transact' | 'logger'>): Part =>
  repeatedly({
    name: 'sandbox-sweeper',
    everyMs: ctx.config.sweepIntervalMs,
    async work(stopping) {
      const count = await purgeTestOrders(ctx, stopping)
      if (count > 0) ctx.logger.info({ count }, 'test orders past their time were deleted')
    },
  })
