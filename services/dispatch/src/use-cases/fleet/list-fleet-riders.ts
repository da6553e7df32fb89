import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type LocatedRider, located } from '../../db/last-locations.ts'
import type { Listed } from '../../db/listed.ts'
import { pageOfRiders } from '../../db/riders.ts'

/** Riders of the merchant's fleet, newest first; where they were last only since they joined. */
export async function listFleetRiders(
  { database, reads }: Context,
  { scope }: By<Tenant>,
  page: Page,
): Promise<Listed<LocatedRider>> {
  const found = await pageOfRiders(reads.in(scope), { merchantId: scope.merchantId }, page)
  const { items, total } = await located(database, found)
  return { items: items.map(sinceItJoined), total }
}

const sinceItJoined = ({ lastLocation, ...rider }: LocatedRider): LocatedRider =>
  lastLocation && lastLocation.recordedAt >= (rider.fleetSince ?? rider.createdAt) ? { ...rider, lastLocation } : rider
