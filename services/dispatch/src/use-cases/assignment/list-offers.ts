import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { OFFER } from '../../db/offers.ts'
import type { Offer } from '../../domain/offer.ts'
import { reaches } from './offer-of-rider.ts'

/** The offers that the calling rider may answer now, those that end first before the others. */
export async function listOffers({ database }: Context, caller: Caller): Promise<Offer[]> {
  const { rows } = await database.worker.query<Offer>(
    `SELECT ${OFFER} FROM dispatch_offers o
      WHERE rider_id = $1 AND state = 'pending' AND kind = 'auto' AND expires_at > app_now() AND is_test = $2
      ORDER BY expires_at, id`,
    [caller.actor.id, caller.isTest === true],
  )
  return rows.filter((offer) => reaches(caller, offer))
}
