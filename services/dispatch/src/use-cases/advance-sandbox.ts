import type { Context } from '../context.ts'
import { advanceJobs, claimAdvance, endAdvance } from '../db/sandbox-clock.ts'

/** Orders that one transaction moves: it holds their locks for some milliseconds. */
const TOGETHER = 200

/**
 * Lets time pass for some test orders that an advance of their sandbox concerns, each once. False when there is nothing to
 * be done now.
 */
export const advanceSandbox = ({ transact }: Pick<Context, 'transact'>): Promise<boolean> =>
  transact('every tenant', async (tx) => {
    const advance = await claimAdvance(tx)
    if (!advance) return false
    const moved = await advanceJobs(tx, advance, TOGETHER)
    return moved > 0 || (await endAdvance(tx, advance))
  })
