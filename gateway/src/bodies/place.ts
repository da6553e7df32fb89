import type {
  CheckCoverageResponse,
  CoveredPoint,
  NamedPlace,
  Schedule,
  Zone,
  ZoneInput,
} from '@svc/contracts/dispatch/v1/place_service'
import { formed, matching, text, uuid } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, rawJson, required, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

// Its service judges it, naming the whole geometry as the field.
const geometry = z.looseObject({}).meta({
  id: 'Area',
  description: 'GeoJSON Polygon or MultiPolygon; longitude, then latitude',
  example: {
    type: 'Polygon',
    coordinates: [
      [
        [3.3, 6.4],
        [3.5, 6.4],
        [3.5, 6.6],
        [3.3, 6.4],
      ],
    ],
  },
})

const featureInput = z.object({
  type: z.literal('Feature'),
  geometry,
  properties: z
    .object({
      id: uuid.nullish().meta({ description: 'Of an area of the present set, which so keeps its id' }),
      name: text(200).nullish(),
      active: z.boolean().nullish(),
      priority: z.int().min(-1000).max(1000).nullish(),
    })
    .nullish(),
})

/** A whole set of areas. */
export const areasBody = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(featureInput).max(1000),
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

const named = fieldsOf<Zone>()({ id, name: z.string(), active: z.boolean(), priority: whole })

const feature = <P extends z.ZodRawShape>(name: string, properties: P) =>
  z
    .object({ type: z.literal('Feature'), geometry: rawJson(geometry), properties: z.object(properties) })
    .meta({ id: name })

const zone = feature('DispatchZone', { ...named, merchant_id: id, created_at: instant })

/** A merchant's zones. */
export const zones = z.object({ type: z.literal('FeatureCollection'), features: z.array(zone) })
/** The same for operators, who see many merchants'. */
export const adminZones = z.object({ merchant_id: id, ...zones.shape })

/** The platform's geofences. */
export const geofences = z.object({ items: z.array(feature('PlatformGeofence', named)) })

/** An area as GeoJSON. */
export const featureOf = (zone: Zone) => ({
  type: 'Feature' as const,
  geometry: zone.geometry_json,
  properties: zone,
})

/** A merchant's zones as GeoJSON. */
export const zonesOf = (all: readonly Zone[]) => ({
  type: 'FeatureCollection' as const,
  features: all.map((zone) => {
    const { type, geometry, properties } = featureOf(zone)
    return { type, geometry, properties: { ...properties, merchant_id: required(zone.merchant_id) } }
  }),
})

const clock = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')
const AT_NIGHT = { description: 'At or before the start: of the next day' }
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const ZONE_OF_LAGOS = { example: 'Africa/Lagos' }

/** One that is named again is not kept again. */
const days = z
  .array(z.enum(DAYS))
  .min(1)
  .transform((named) => [...new Set(named)])
  .pipe(z.array(z.enum(DAYS)).max(DAYS.length))

export const scheduleBody = z.strictObject({
  timezone: text(64).meta(ZONE_OF_LAGOS),
  windows: z.array(z.strictObject({ days, start: clock, end: clock.meta(AT_NIGHT) })).max(100),
  closed_dates: z
    .array(formed(z.iso.date('must be YYYY-MM-DD')))
    .max(1000)
    .default([]),
})

/** When dispatch runs for a merchant; no windows at all: always. */
export const schedule = z
  .object({
    merchant_id: id,
    ...fieldsOf<Schedule>()({
      timezone: z.string().meta(ZONE_OF_LAGOS),
      windows: z.array(z.object({ days: z.array(words(...DAYS)), start: z.string(), end: z.string().meta(AT_NIGHT) })),
      closed_dates: z.array(z.string().meta({ format: 'date' })),
    }),
  })
  .meta({ id: 'DispatchSchedule' })

const place = z.object(fieldsOf<NamedPlace>()({ id, name: z.string() })).meta({ id: 'NamedPlace' })

const coveredPoint = z.object(
  fieldsOf<CoveredPoint>()({
    point: words('pickup', 'dropoff', 'point'),
    lat: z.number(),
    lng: z.number(),
    covered: z.boolean(),
    zone: orNull(place),
    platform_geofence: orNull(place),
    reason: orNull(z.string()),
  }),
)

export const coverage = z.object(
  fieldsOf<CheckCoverageResponse>()({
    covered: z.boolean(),
    points: z.array(coveredPoint),
    rate_card: orNull(z.object({ id, name: z.string(), currency: z.string() })),
    reason: orNull(z.string()).meta({ description: 'outside_zones or no_rate_card' }),
  }),
)
