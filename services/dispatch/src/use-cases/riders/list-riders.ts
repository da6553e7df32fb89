import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type LocatedRider, located } from '../../db/last-locations.ts'
import type { Listed } from '../../db/listed.ts'
import { pageOfRiders, type RIDER_SORTS, type RiderFilter } from '../../db/riders.ts'

type Question = RiderFilter & Page & { sort: (typeof RIDER_SORTS)[number] }

/** Riders of every merchant, for operators. */
export async function listRiders(
  { database }: Context,
  _by: By,
  { merchantId, kycStatus, isOnline, ...page }: Question,
): Promise<Listed<LocatedRider>> {
  return located(database, await pageOfRiders(database, { merchantId, kycStatus, isOnline }, page))
}
