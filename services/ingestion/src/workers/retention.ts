import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { forgetHooks } from '../use-cases/forget-hooks.ts'

const EVERY_MS = 3_600_000

/** Forgets old hooks, now and then. */
export const retention = (ctx: Context): Part =>
  repeatedly({
    name: 'retention',
    everyMs: EVERY_MS,
    async work() {
      const count = await forgetHooks(ctx)
      if (count > 0) ctx.logger.info({ count }, 'hooks past their time were forgotten')
    },
  })
