import { type Part, repeatedly, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { expiredSignups } from '../db/cloud-signups.ts'
import { oldConversations } from '../db/conversations.ts'
import { endDeadMail, forgetHooks } from '../use-cases/forget-hooks.ts'
import { forgetAttachments } from '../use-cases/mails/forget-attachments.ts'

const EVERY_MS = 3_600_000
/** Tokens of signups that nobody went on with lie about no longer than this. */
const SIGNUPS_EVERY_MS = 60_000

/** Forgets old hooks, now and then. */
export const retention = (ctx: Context): Part =>
  repeatedly({
    name: 'retention',
    everyMs: EVERY_MS,
    async work(stopping) {
      const ended = await endDeadMail(ctx)
      if (ended > 0) ctx.logger.info({ count: ended }, 'dead letters of mail that nobody has mended were ended')
      await forgetAttachments(ctx, stopping)
      const count = await forgetHooks(ctx)
      if (count > 0) ctx.logger.info({ count }, 'hooks past their time were forgotten')
    },
  })

/** Forgets signups that nobody went on with, and what was talked about as long ago as hooks are forgotten. */
export const expiries = ({ config, database: { worker } }: Pick<Context, 'config' | 'database'>): Part[] => [
  sweeper({
    name: 'cloud retention',
    service: 'ingestion',
    worker,
    everyMs: SIGNUPS_EVERY_MS,
    expiries: [expiredSignups],
  }),
  sweeper({
    name: 'conversation retention',
    service: 'ingestion',
    worker,
    everyMs: EVERY_MS,
    expiries: oldConversations(config.hookRetentionDays),
  }),
]
