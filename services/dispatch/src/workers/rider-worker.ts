import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { endLeftTokens } from '../use-cases/riders/end-tokens.ts'

/** Ends the tokens that a crash or an outage has left alive. */
export const riderWorker = (ctx: Context): Part =>
  repeatedly({
    name: 'rider-worker',
    everyMs: 1_000,
    work: () => endLeftTokens(ctx),
  })
