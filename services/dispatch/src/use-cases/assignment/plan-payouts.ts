import type { Context } from '../../context.ts'
import { savePayout, unplannedJobs } from '../../db/jobs.ts'

/** Orders that are asked about at once. */
const TOGETHER = 20

/**
 * Finds out what riders would earn for orders on offer, once per order; false when that is known of all. Offers wait for
 * it no more than dispatch does. Throws while the wallet cannot be asked.
 */
export async function planPayouts({ wallet, database }: Pick<Context, 'wallet' | 'database'>): Promise<boolean> {
  const jobs = await unplannedJobs(database, TOGETHER)
  const payouts = await Promise.all(jobs.map((job) => wallet.payoutOf(job)))
  for (const [index, payout] of payouts.entries()) await savePayout(database, jobs[index]!.orderId, payout)
  return jobs.length > 0
}
