import { ServiceError } from '@svc/errors'
import type { RateCard } from './rate-card.ts'

export interface Point {
  lat: number
  lng: number
}

export type PointName = 'pickup' | 'dropoff' | 'point'

export interface NamedPoint extends Point {
  name: PointName
}

export interface Place {
  id: string
  name: string
}

/** What the database knows of points: the areas that they are in, and which sets of areas there are at all. */
export interface Survey {
  /** Whether the merchant has active zones; only where it has none the platform's geofences are asked. */
  hasZones: boolean
  hasGeofences: boolean
  /** One per point, in the order of the points. */
  places: ReadonlyArray<{ zone: Place | null; geofence: Place | null }>
  card: RateCard | null
}

export type CoverageReason = 'outside_zones' | 'no_rate_card'

export interface JudgedPoint extends NamedPoint {
  zone: Place | null
  geofence: Place | null
  reason: CoverageReason | null
}

export interface Coverage {
  points: JudgedPoint[]
  card: RateCard | null
  reason: CoverageReason | null
}

/**
 * Whether points are served: in one of the merchant's zones, where it has none in one of the platform's geofences,
 * where there are none anywhere; and at a price.
 */
export function judgeCoverage(points: readonly NamedPoint[], survey: Survey): Coverage {
  const { hasZones, hasGeofences, card } = survey
  const judged = points.map((point, index): JudgedPoint => {
    const { zone, geofence } = survey.places[index] as Survey['places'][number]
    const isInside = hasZones ? zone !== null : !hasGeofences || geofence !== null
    return { ...point, zone, geofence, reason: isInside ? (card ? null : 'no_rate_card') : 'outside_zones' }
  })
  const outside = judged.some(({ reason }) => reason === 'outside_zones')
  return { points: judged, card, reason: outside ? 'outside_zones' : card ? null : 'no_rate_card' }
}

type CoverageCode = 'OUT_OF_COVERAGE_AREA' | 'outside_coverage' | 'pickup_outside_coverage'

/** The refusal of a delivery that is not served, naming its first such point; null when it is served. */
export function coverageRefusal(
  { points, reason }: Coverage,
  codeOf: (point: PointName, reason: CoverageReason) => CoverageCode = () => 'OUT_OF_COVERAGE_AREA',
): ServiceError | null {
  const point = points.find((each) => each.reason === reason)
  if (!reason || !point) return null
  const details = { point: point.name, lat: point.lat, lng: point.lng, reason }
  return new ServiceError(codeOf(point.name, reason), { details })
}
