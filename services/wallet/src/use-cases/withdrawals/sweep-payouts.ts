import type { Context } from '../../context.ts'
import { claimUnverified, storeWithdrawal } from '../../db/withdrawals.ts'
import { nextLook } from '../../domain/paid-watch.ts'
import { PAYOUT_INTENT, pursueAttempt } from './transfer.ts'

const BATCH = 100

/**
 * Has the provider asked about payouts whose hook has not come, and for some days about those that were paid, so that each
 * of them ends as it should whatever hook was lost. Any number of replicas may do this at once.
 */
export async function sweepPayouts(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await ctx.transact('every tenant', async (tx) => {
      const due = await claimUnverified(tx, PAYOUT_INTENT, BATCH)
      const soon = new Date(tx.now.getTime() + ctx.config.paymentSweepIntervalMs)
      for (const withdrawal of due) {
        const { status, paidAt } = withdrawal
        const verifyAt = status === 'paid' && paidAt ? nextLook(paidAt, tx.now) : soon
        await storeWithdrawal(tx, { ...withdrawal, verifyAt })
        await pursueAttempt(tx, withdrawal)
      }
      return due.length
    })
    if (found > 0) ctx.intents.wake()
    if (found < BATCH) return
  }
}
