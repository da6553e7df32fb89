import { type Part, repeatedly, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { expiredSignups } from '../db/cloud-signups.ts'
import { oldConversations } from '../db/conversations.ts'
import { endOldDeadLetters, forgetHooks } from '../use-cases/forget-hooks.ts'
import { forgetAttachments } from '../use-cases/mails/forget-attachments.ts'

/** Tokens of signups that nobody went on with lie about no longer than this. */
const SIGNUPS_EVERY_MS = 60_000

/** Ends old dead letters and forgets old hooks, now and then. A task that fails holds up no other. */
export const retention = (ctx: Context): Part =>
  repeatedly({
    name: 'retention',
    everyMs: ctx.config.sweepIntervalMs,
    async work(stopping) {
      for (const { table, task, run } of TASKS) {
        try {
          await run(ctx, stopping)
        } catch (err) {
          ctx.logger.error({ err, alert: 'sweep_failed', table, task }, 'expired rows stay until the next round')
        }
      }
    },
  })

/** In this order, as hooks go after the attachments of their mail. */
const TASKS: ReadonlyArray<{
  table: string
  task: string
  run: (ctx: Context, stopping: AbortSignal) => Promise<void>
}> = [
  {
    table: 'inbound_hooks',
    task: 'end dead letters',
    async run(ctx, stopping) {
      const count = await endOldDeadLetters(ctx, stopping)
      if (count > 0) ctx.logger.info({ count }, 'dead letters that nobody has mended were ended')
    },
  },
  { table: 'attachment_ocr_jobs', task: 'forget attachments', run: forgetAttachments },
  {
    table: 'inbound_hooks',
    task: 'forget hooks',
    async run(ctx, stopping) {
      const count = await forgetHooks(ctx, stopping)
      if (count > 0) ctx.logger.info({ count }, 'hooks past their time were forgotten')
    },
  },
]

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
    everyMs: config.sweepIntervalMs,
    expiries: oldConversations(config.hookRetentionDays),
  }),
]
