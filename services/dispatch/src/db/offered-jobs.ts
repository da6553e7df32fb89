import type { Context } from '../context.ts'
import type { Job } from '../domain/job.ts'
import type { OfferedJob } from '../messages/offer.ts'
import { JOB } from './jobs.ts'

const DEFAULT_CURRENCY = 'NGN'

/** What offers show of their orders, by the id of the order, and the time. */
export async function offeredJobs(
  { database }: Pick<Context, 'database'>,
  orderIds: readonly string[],
): Promise<{ jobs: Map<string, OfferedJob>; now: Date }> {
  const { rows } = await database.worker.query<Job & { currency: string | null; now: Date }>(
    `SELECT ${JOB}, m.currency, app_now() AS now FROM dispatch_jobs j LEFT JOIN merchants m ON m.id = j.merchant_id
      WHERE order_id = ANY($1)`,
    [orderIds],
  )
  const jobs = new Map(rows.map((job) => [job.orderId, { job, currency: job.currency ?? DEFAULT_CURRENCY }]))
  return { jobs, now: rows[0]?.now ?? new Date(0) }
}
