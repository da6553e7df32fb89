import type { Context } from '../../context.ts'
import { claimUnverified, storeWithdrawal } from '../../db/withdrawals.ts'
import { PAYOUT_INTENT, pursueAttempt } from './payout-attempt.ts'

const BATCH = 100

/**
 * Has the provider asked about payouts that nobody told us of, so that each of them ends whatever hook was lost. Any
 * number of replicas may do this at once.
 */
export async function sweepPayouts(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await ctx.transact('every tenant', async (tx) => {
      const due = await claimUnverified(tx, PAYOUT_INTENT, BATCH)
      const verify_at = new Date(tx.now.getTime() + ctx.config.paymentSweepIntervalMs)
      for (const withdrawal of due) {
        await storeWithdrawal(tx, { ...withdrawal, verify_at })
        await pursueAttempt(tx, withdrawal)
      }
      return due.length
    })
    if (found > 0) ctx.intents.wake()
    if (found < BATCH) return
  }
}
