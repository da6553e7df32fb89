import { ServiceError, validationError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type HistoryQuery, isOfFleet, type PastPosition, positionHistory } from '../../db/position-history.ts'

/** Where a rider of the merchant's own fleet was; rider_not_found for any other. */
export async function listPositionHistory(
  { database }: Context,
  merchantId: string,
  query: HistoryQuery,
): Promise<PastPosition[]> {
  const { riderId, since, until } = query
  if (since && until && since > until) {
    throw validationError([{ field: 'since', rule: 'range', message: 'since must not be after until.' }])
  }
  if (!isUuid(riderId) || !(await isOfFleet(database, riderId, merchantId))) throw new ServiceError('rider_not_found')
  return positionHistory(database, query)
}
