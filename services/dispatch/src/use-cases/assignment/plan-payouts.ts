import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'
import { type Age, type PlannedPayout, savePayouts, unplannedJobs } from '../../db/jobs.ts'
import type { Job } from '../../domain/job.ts'

/** Orders that are asked about at once. */
const TOGETHER = 50

interface Planned {
  /** Of how many orders it is known now. */
  count: number
  /** The last order that was asked about; null: no further ones are left. */
  last: Age | null
  /** Why the wallet did not say it of some of them. */
  refusal: unknown
}

/**
 * Finds out what riders would earn for orders that were offered to one, once per order, and once for all that are paid alike:
 * of the oldest that come after this one. Offers wait for it no more than dispatch does. One that the wallet refuses keeps no
 * other from being asked about. Throws service_unavailable where the wallet answered nothing.
 */
export async function planPayouts(
  { wallet, database }: Pick<Context, 'wallet' | 'database'>,
  after: Age | null,
): Promise<Planned> {
  const jobs = await unplannedJobs(database, TOGETHER, after)
  const alike = [...Map.groupBy(jobs, questionOf).values()]
  const answers = await Promise.allSettled(
    alike.map(async (some): Promise<PlannedPayout[]> => {
      const payout = await wallet.payoutOf(some[0] as Job)
      return some.map(({ orderId }) => ({ ...payout, orderId }))
    }),
  )
  const planned = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  await savePayouts(database, planned)
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  // One that took too long is asked again in the next pass; the wallet that answered others is not away.
  if (refusals.length > 0 && refusals.length === answers.length && refusals.every(isUnavailable)) throw refusals[0]
  return { count: planned.length, last: jobs.length < TOGETHER ? null : (jobs.at(-1) ?? null), refusal: refusals[0] }
}

/** All that the wallet goes by. */
const questionOf = ({ merchantId, isTest, deliveryCommissionMinor, vehicleType, source }: Job): string =>
  JSON.stringify([merchantId, isTest, deliveryCommissionMinor, vehicleType, source])

const isUnavailable = (reason: unknown): boolean =>
  reason instanceof ServiceError && reason.code === 'service_unavailable'
