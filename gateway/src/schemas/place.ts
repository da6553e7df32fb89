import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { latitude, longitude } from './point.ts'

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

const named = { id: uuid, name: z.string(), active: z.boolean(), priority: z.int() }

const feature = <P extends z.ZodRawShape>(id: string, properties: P) =>
  z.strictObject({ type: z.literal('Feature'), geometry, properties: z.strictObject(properties) }).meta({ id })

const zone = feature('DispatchZone', { ...named, merchant_id: uuid, created_at: timestamp })

/** A merchant's zones. */
export const zones = z.strictObject({ type: z.literal('FeatureCollection'), features: z.array(zone) })
/** The same for operators, who see many merchants'. */
export const adminZones = z.strictObject({ merchant_id: uuid, ...zones.shape })

export const geofences = z.strictObject({ items: z.array(feature('PlatformGeofence', named)) })

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')

const timezone = text(64).meta({ example: 'Africa/Lagos' })
const windows = z.array(
  z.strictObject({
    days: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).min(1),
    start: clock,
    end: clock.meta({ description: 'At or before the start: of the next day' }),
  }),
)
const closedDates = z.array(z.iso.date('must be YYYY-MM-DD'))

export const scheduleBody = z.strictObject({
  timezone,
  windows: windows.max(100),
  closed_dates: closedDates.max(1000).default([]),
})
/** When dispatch runs for a merchant; no windows at all: always. */
export const schedule = z
  .strictObject({ merchant_id: uuid, timezone, windows, closed_dates: closedDates })
  .meta({ id: 'DispatchSchedule' })

const place = z.strictObject({ id: uuid, name: z.string() }).meta({ id: 'NamedPlace' })

export const coverage = z.strictObject({
  covered: z.boolean(),
  points: z.array(
    z.strictObject({
      point: z.enum(['pickup', 'dropoff', 'point']),
      lat: latitude,
      lng: longitude,
      covered: z.boolean(),
      zone: place.nullable(),
      platform_geofence: place.nullable(),
      reason: z.string().nullable(),
    }),
  ),
  rate_card: z.strictObject({ id: uuid, name: z.string(), currency: z.string() }).nullable(),
  reason: z.string().nullable().meta({ description: 'outside_zones or no_rate_card' }),
})
