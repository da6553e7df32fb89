import type { Context } from '../context.ts'
import { deletePastJobs, deletePastRecords } from '../db/past.ts'

/**
 * Removes what is not asked for any more: ended orders with their offers and rounds, legs that speeds are no longer
 * learnt from, sent codes that cannot be used, and the record of what was sent. Returns how many orders went.
 */
export async function forgetThePast({ config, database }: Pick<Context, 'config' | 'database'>): Promise<number> {
  const { dispatchRetentionDays: days, sandboxRetentionDays: testDays } = config
  const count = await deletePastJobs(database, days, Math.min(days, testDays))
  await deletePastRecords(database, days)
  return count
}
