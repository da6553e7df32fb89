import type { Job } from '../domain/job.ts'
import type { Offer } from '../domain/offer.ts'
import { rowsOf, type Source } from './rows.ts'

const DEFAULT_CURRENCY = 'NGN'

/** An offer with what is shown of it besides. */
export interface ShownOffer {
  offer: Offer
  job: Job
  /** The merchant's. */
  currency: string
  /** When it was looked up: an offer that has expired by then is shown so. */
  now: Date
}

/** These offers with their orders. */
export async function withJobs(source: Source, offers: readonly Offer[]): Promise<ShownOffer[]> {
  if (offers.length === 0) return []
  const jobs = await rowsOf<Job & { currency: string | null; now: Date }>(
    source,
    `SELECT j.*, m.currency, app_now() AS now FROM dispatch_jobs j LEFT JOIN merchants m ON m.id = j.merchant_id
      WHERE order_id = ANY($1)`,
    [offers.map(({ orderId }) => orderId)],
  )
  const jobOf = new Map(jobs.map((job) => [job.orderId, job]))
  return offers.map((offer) => {
    const { currency, now, ...job } = jobOf.get(offer.orderId)!
    return { offer, job, currency: currency ?? DEFAULT_CURRENCY, now }
  })
}
