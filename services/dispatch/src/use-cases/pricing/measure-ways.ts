import type { Vehicle } from '@svc/parcel'
import type { Context } from '../../context.ts'
import type { Point } from '../../domain/coverage.ts'
import { estimatedLeg, type Leg } from '../../domain/travel.ts'

/** From a pickup to a drop-off. */
export interface Way {
  pickup: Point
  dropoff: Point
  /** The shortest line over the ellipsoid. */
  geodesicMetres: number
}

/** The legs by road of ways with one pickup: by the router where there is one and it knows, else estimated. */
export async function measureWays(
  { config, router }: Pick<Context, 'config' | 'router'>,
  ways: readonly Way[],
  vehicle: Vehicle,
): Promise<Leg[]> {
  const [first] = ways
  const routes =
    first && router
      ? await router.routes(
          first.pickup,
          ways.map(({ dropoff }) => dropoff),
        )
      : []
  return ways.map(({ geodesicMetres }, index) => {
    const route = routes[index]
    return route ? { ...route, source: 'router' } : estimatedLeg(geodesicMetres, config.roadFactor, vehicle)
  })
}
