import type { Vehicle } from '@svc/parcel'
import type { Context } from '../context.ts'
import { estimatedLeg, type Leg, type Way } from '../domain/travel.ts'

/** The leg by road from a pickup to a drop-off: by the router where there is one and it knows, else estimated. */
export async function measureWay(
  { config, router }: Pick<Context, 'config' | 'router'>,
  { pickup, dropoff, geodesicMetres }: Way,
  vehicle: Vehicle,
): Promise<Leg> {
  const [route] = (await router?.routes(pickup, [dropoff])) ?? []
  return route ? { ...route, source: 'router' } : estimatedLeg(geodesicMetres, config.roadFactor, vehicle)
}
