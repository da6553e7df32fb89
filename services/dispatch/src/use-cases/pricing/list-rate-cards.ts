import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import type { Listed } from '../../db/listed.ts'
import { pageOfRateCards, type RateCardFilter, type StoredRateCard } from '../../db/rate-cards.ts'

/** The present versions of rate cards, newest card first. */
export const listRateCards = (
  { database }: Context,
  _by: By,
  { limit, offset, ...filter }: RateCardFilter & Page,
): Promise<Listed<StoredRateCard>> => pageOfRateCards(database, filter, { limit, offset })
