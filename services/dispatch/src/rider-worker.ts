import type { Part } from '@svc/lifecycle'
import type { Context } from './context.ts'
import { claimRevocations, endTokensOrLater } from './use-cases/riders/end-tokens.ts'

const POLL_MS = 1_000
const SWEEP_MS = 10 * 60_000

/** Ends the tokens that a crash or an outage has left alive, and removes codes that nobody can use any more. */
export function riderWorker(ctx: Context): Part {
  const timers: NodeJS.Timeout[] = []
  let underWay: Promise<void> = Promise.resolve()
  let isBusy = false

  const repeat = (everyMs: number, work: () => Promise<void>) => {
    const run = () => {
      if (isBusy) return
      isBusy = true
      underWay = work()
        .catch((err: unknown) => ctx.logger.warn({ err }, 'work on riders failed; the next round tries again'))
        .finally(() => {
          isBusy = false
        })
    }
    timers.push(setInterval(run, everyMs).unref())
  }
  return {
    name: 'rider-worker',
    async start() {
      repeat(POLL_MS, async () => {
        const claimed = await claimRevocations(ctx)
        // Together: all of them have the one lease to finish in.
        await Promise.all(claimed.map((revocation) => endTokensOrLater(ctx, revocation)))
      })
      repeat(SWEEP_MS, async () => {
        await ctx.database.worker.query("DELETE FROM otps WHERE expires_at < app_now() - interval '1 day'")
      })
    },
    async stop() {
      timers.forEach(clearInterval)
      await underWay
    },
  }
}
