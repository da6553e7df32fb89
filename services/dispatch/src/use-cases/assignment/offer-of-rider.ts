import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import { findOffer } from '../../db/offers.ts'
import type { Offer } from '../../domain/offer.ts'

/**
 * True where the rider's token reaches offers of that environment and merchant: the sandbox rider's only those of the
 * merchant that it is bound to, everybody else's all but test orders.
 */
export const reaches = ({ isTest, merchantId }: Caller, offer: Pick<Offer, 'isTest' | 'merchantId'>): boolean =>
  offer.isTest === (isTest === true) && (!offer.isTest || offer.merchantId === merchantId)

/** The offer put to the calling rider; throws not_found for those of others alike. */
export async function offerOfRider(tx: Tx, caller: Caller, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, offerId)
  const isTheirs = offer?.kind === 'auto' && offer.riderId === caller.actor.id && reaches(caller, offer)
  if (!isTheirs) throw new ServiceError('not_found')
  return offer
}
