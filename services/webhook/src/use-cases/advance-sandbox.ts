import type { Context } from '../context.ts'
import { advanceDeliveries, advanceLane, claimAdvance } from '../db/sandbox-clock.ts'

/** Deliveries that one transaction looks at: it holds the locks of those that wait for some milliseconds. */
const TOGETHER = 500

/**
 * Lets time pass for some deliveries of a sandbox whose clock was moved on, each once. False when there is nothing to be
 * done now.
 */
export const advanceSandbox = ({ transact, deliveries }: Pick<Context, 'transact' | 'deliveries'>): Promise<boolean> =>
  transact('every tenant', async (tx) => {
    const advance = await claimAdvance(tx)
    if (!advance) return false
    if (advance.metTo === null) await advanceLane(tx, advance)
    const { moved, isEnded } = await advanceDeliveries(tx, advance, TOGETHER)
    if (moved > 0 || isEnded) tx.afterCommit(deliveries.wake)
    return true
  })
