import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type HistoryQuery, type PastPosition, positionHistory } from '../../db/position-history.ts'
import { findRider } from '../../db/riders.ts'

/** Where a rider of the merchant's own fleet was since it joined; rider_not_found for any other, and for test credentials. */
export async function listPositionHistory(
  { database }: Context,
  { scope }: By<Tenant>,
  query: HistoryQuery,
): Promise<PastPosition[]> {
  const rider = await findRider(database, query.riderId)
  if (scope.isTest === true || rider?.merchantId !== scope.merchantId) throw new ServiceError('rider_not_found')
  const { fleetSince, createdAt } = rider
  return positionHistory(database, { ...query, since: later(query.since, fleetSince ?? createdAt) })
}

const later = (one: Date | null, other: Date): Date => (one && one > other ? one : other)
