import type { Part } from '@svc/lifecycle'
import type { Logger } from '@svc/logging'
import type { Context } from './context.ts'
import { purgeTestOrders } from './use-cases/purge-test-orders.ts'

/** Deletes test orders that are past their time, now and then; a failure is logged and the next sweep repeats it. */
export function sandboxSweeper(ctx: Pick<Context, 'config' | 'database'> & { logger: Logger }): Part {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    try {
      const count = await purgeTestOrders(ctx)
      if (count > 0) ctx.logger.info({ count }, 'test orders past their time were deleted')
    } catch (err) {
      ctx.logger.warn({ err }, 'the sweep of test orders failed')
    }
    timer = setTimeout(start, ctx.config.sweepIntervalMs)
  }

  function start(): void {
    sweeping = sweep()
  }

  return {
    name: 'sandbox-sweeper',
    async start() {
      start()
    },
    async stop() {
      await sweeping
      clearTimeout(timer)
    },
  }
}
