import type { Context } from '../../context.ts'
import { savePayout, unplannedJobs } from '../../db/jobs.ts'

/** Orders that are asked about at once. */
const TOGETHER = 20

/**
 * Finds out what riders would earn for orders on offer, once per order; false when that is known of all. Offers wait for
 * it no more than dispatch does. One that the wallet refuses keeps no other from being asked about: what failed is thrown
 * once all were tried.
 */
export async function planPayouts({ wallet, database }: Pick<Context, 'wallet' | 'database'>): Promise<boolean> {
  const jobs = await unplannedJobs(database, TOGETHER)
  const asked = await Promise.allSettled(
    jobs.map(async (job) => savePayout(database, job.orderId, await wallet.payoutOf(job))),
  )
  const failure = asked.find((one) => one.status === 'rejected')
  if (failure) throw failure.reason
  return jobs.length > 0
}
