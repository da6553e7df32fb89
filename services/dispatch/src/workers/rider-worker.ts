import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { claimRevocations, endTokensOrLater } from '../use-cases/riders/end-tokens.ts'

/** Ends the tokens that a crash or an outage has left alive. */
export const riderWorker = (ctx: Context): Part =>
  repeatedly({
    name: 'rider-worker',
    everyMs: 1_000,
    async work() {
      const claimed = await claimRevocations(ctx)
      // Together: all of them have the one lease to finish in.
      await Promise.all(claimed.map((revocation) => endTokensOrLater(ctx, revocation)))
    },
  })
