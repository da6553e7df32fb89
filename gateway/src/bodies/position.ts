import type { HistoryPoint, PositionPoint, RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { timestamp } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { latitude, longitude, wholePoints } from './point.ts'

const recordedAt = timestamp.refine((text) => Date.parse(text) >= 0, {
  error: 'recorded_at must be a time since 1970.',
  params: { rule: 'time' },
})

// Nulls are left to `pointsOf`: a transform per field, five to a point, is a tenth of what a report of twenty points costs.
const measured = {
  accuracy_m: z.number().min(0).nullish(),
  speed_mps: z.number().min(0).nullish(),
  heading_deg: z.number().min(0).max(360).nullish().meta({ description: 'Clockwise from north' }),
  recorded_at: recordedAt.nullish().meta({ description: 'When it is received, if absent' }),
  battery_pct: z.number().min(0).max(100).nullish(),
}

const positionPoint = z.object({ lat: latitude, lng: longitude, ...measured }).meta({ id: 'PositionPoint' })

/** One point, or up to a hundred. */
export const positions = z
  .object({
    points: z.array(positionPoint).min(1).max(100).optional(),
    lat: latitude.optional(),
    lng: longitude.optional(),
    ...measured,
  })
  .superRefine((body, ctx) => {
    wholePoints(['lat', 'lng'])(body, ctx)
    const single = body.lat !== undefined || body.lng !== undefined
    if (single === (body.points === undefined)) return
    const [rule, message] = single
      ? ['exclusive', 'Either points or one point at the top level may be sent.']
      : ['required', 'lat is required.']
    ctx.addIssue({ code: 'custom', path: [single ? 'points' : 'lat'], message, params: { rule } })
  })

/** The points of a report, be it one or many. */
export const pointsOf = ({ points, lat, lng, ...measured }: z.output<typeof positions>): PositionPoint[] =>
  (points ?? [{ lat: lat as number, lng: lng as number, ...measured }]).map(pointOf)

const pointOf = (sent: z.output<typeof positionPoint>): PositionPoint => ({
  lat: sent.lat,
  lng: sent.lng,
  accuracy_m: sent.accuracy_m ?? undefined,
  speed_mps: sent.speed_mps ?? undefined,
  heading_deg: sent.heading_deg ?? undefined,
  recorded_at: sent.recorded_at ?? undefined,
  battery_pct: sent.battery_pct ?? undefined,
})

/** A position as the rider or merchant who reported it gets it back. */
export const location = z
  .object(
    fieldsOf<RiderLocation>()({
      rider_id: id,
      lat: z.number(),
      lng: z.number(),
      accuracy_m: orNull(z.number()),
      heading_deg: orNull(z.number()),
      speed_mps: orNull(z.number()),
      recorded_at: instant,
      received_at: instant,
    }),
  )
  .meta({ id: 'Location' })

const historyPoint = z.object(
  fieldsOf<HistoryPoint>()({
    lat: z.number(),
    lng: z.number(),
    accuracy_m: orNull(z.number()),
    recorded_at: instant,
  }),
)

export const positionHistory = z.object({
  rider_id: id,
  items: z.array(historyPoint),
  limit: whole,
  order: words('asc', 'desc'),
  since: orNull(instant),
  until: orNull(instant),
})
