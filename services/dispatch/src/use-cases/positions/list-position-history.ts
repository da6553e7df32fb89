import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type HistoryQuery, type PastPosition, positionHistory } from '../../db/position-history.ts'
import { isOfFleet } from '../../db/riders.ts'

/** Where a rider of the merchant's own fleet was; rider_not_found for any other. */
export async function listPositionHistory(
  { database }: Context,
  { scope }: By<Tenant>,
  query: HistoryQuery,
): Promise<PastPosition[]> {
  const isIts = isUuid(query.riderId) && (await isOfFleet(database, scope.merchantId, query.riderId))
  if (!isIts) throw new ServiceError('rider_not_found')
  return positionHistory(database, query)
}
