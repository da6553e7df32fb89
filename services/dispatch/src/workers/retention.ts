import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { forgetThePast } from '../use-cases/forget-the-past.ts'

/** Forgets the past, now and then. */
export const retention = (ctx: Pick<Context, 'config' | 'database' | 'logger'>): Part =>
  repeatedly({
    name: 'retention',
    everyMs: ctx.config.sweepIntervalMs,
    async work() {
      const count = await forgetThePast(ctx)
      if (count > 0) ctx.logger.info({ count }, 'orders past their time were forgotten')
    },
  })
