import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockJob, saveJob } from '../../db/jobs.ts'
import { findOffer, setOfferState } from '../../db/offers.ts'
import type { Offer } from '../../domain/offer.ts'
import { requireAnswerable } from './accept-offer.ts'
import { offerOfRider } from './offer-of-rider.ts'

/** The rider says no; the next riders are asked at once. A repeat changes nothing. */
export async function declineOffer(ctx: Context, caller: Caller, offerId: string): Promise<Offer> {
  const declined = await ctx.transact('every tenant', async (tx) => {
    const { orderId } = await offerOfRider(tx, caller, offerId)
    const job = await lockJob(tx, orderId)
    const offer = (await findOffer(tx, offerId)) as Offer
    if (offer.state === 'declined') return offer
    requireAnswerable(offer, tx.now)
    await setOfferState(tx, [offerId], 'declined')
    if (job) await saveJob(tx, { ...job, nextAt: tx.now })
    return { ...offer, state: 'declined' as const, respondedAt: tx.now }
  })
  ctx.dispatcher.wake()
  return declined
}
