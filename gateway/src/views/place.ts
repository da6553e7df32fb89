import type {
  CheckCoverageResponse,
  CoveredPoint,
  NamedPlace,
  Schedule,
  Zone,
  ZoneInput,
} from '@svc/contracts/dispatch/v1/place_service'
import { RawJson } from '@svc/exact-json'
import type * as z from 'zod'
import type { areasBody } from '../schemas/place.ts'
import { orNull } from './or-null.ts'

const featureView = ({ geometry_json }: Zone, properties: Record<string, unknown>) => ({
  type: 'Feature',
  geometry: new RawJson(geometry_json),
  properties,
})

const named = ({ id, name, active, priority }: Zone) => ({ id, name, active, priority })

/** Zones as a FeatureCollection; what stands outside GeoJSON goes beside. */
export const zonesView = (zones: readonly Zone[]): Record<string, unknown> => ({
  type: 'FeatureCollection',
  features: zones.map((zone) =>
    featureView(zone, { ...named(zone), merchant_id: orNull(zone.merchant_id), created_at: zone.created_at }),
  ),
})

export const geofencesView = (zones: readonly Zone[]): Record<string, unknown> => ({
  items: zones.map((zone) => featureView(zone, named(zone))),
})

/** Areas as their service takes them; what has no name is called by its place. */
export const areasOf = ({ features }: z.output<typeof areasBody>): ZoneInput[] =>
  features.map(({ geometry, properties }, i) => ({
    id: properties?.id ?? undefined,
    name: properties?.name ?? `Area ${i + 1}`,
    active: properties?.active ?? true,
    priority: properties?.priority ?? 0,
    geometry_json: JSON.stringify(geometry),
  }))

export const scheduleView = (merchant_id: string, schedule: Schedule): Record<string, unknown> => ({
  merchant_id,
  timezone: schedule.timezone,
  windows: schedule.windows.map(({ days, start, end }) => ({ days, start, end })),
  closed_dates: schedule.closed_dates,
})

const placeView = (place: NamedPlace | undefined) => (place ? { id: place.id, name: place.name } : null)

const coveredPointView = (point: CoveredPoint) => ({
  point: point.point,
  lat: point.lat,
  lng: point.lng,
  covered: point.covered,
  zone: placeView(point.zone),
  platform_geofence: placeView(point.platform_geofence),
  reason: orNull(point.reason),
})

export const coverageView = ({
  covered,
  points,
  rate_card,
  reason,
}: CheckCoverageResponse): Record<string, unknown> => ({
  covered,
  points: points.map(coveredPointView),
  rate_card: rate_card ? { id: rate_card.id, name: rate_card.name, currency: rate_card.currency } : null,
  reason: orNull(reason),
})
