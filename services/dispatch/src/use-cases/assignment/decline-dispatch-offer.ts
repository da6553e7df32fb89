import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockJob, saveJob } from '../../db/jobs.ts'
import { findOffer, findReachedOffer, setOfferState } from '../../db/offers.ts'
import { type ShownOffer, withJobs } from '../../db/shown-offers.ts'
import { type Offer, reachOf, requireAnswerable } from '../../domain/offer.ts'

/** The rider says no; the next riders are asked at once. A repeat changes nothing. */
export async function declineDispatchOffer(ctx: Context, by: By, offerId: string): Promise<ShownOffer> {
  const declined = await ctx.transact('every tenant', async (tx) => {
    const reached = await findReachedOffer(tx, reachOf(by.caller), offerId)
    if (!reached) throw new ServiceError('not_found')
    const job = await lockJob(tx, reached.orderId)
    const offer = (await findOffer(tx, offerId)) as Offer
    if (offer.state === 'declined') return offer
    requireAnswerable(offer, tx.now)
    await setOfferState(tx, [offerId], 'declined')
    if (job) await saveJob(tx, { ...job, nextAt: tx.now })
    return { ...offer, state: 'declined' as const, respondedAt: tx.now }
  })
  ctx.dispatcher.wake()
  return (await withJobs(ctx.database, [declined]))[0] as ShownOffer
}
