import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { openOffersOf } from '../../db/offers.ts'
import { type ShownOffer, withJobs } from '../../db/shown-offers.ts'
import { reachOf } from '../../domain/offer.ts'

/** The offers that the calling rider may answer now, those that end first before the others. */
export const listDispatchOffers = async ({ database }: Context, by: By): Promise<ShownOffer[]> =>
  withJobs(database, await openOffersOf(database, reachOf(by.caller)))
