import type { HistoryPoint, PositionPoint, RiderLocation } from '@svc/contracts/dispatch/v1/position_service'
import { maybe, timestamp } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { latitude, longitude, wholePoints } from './point.ts'

const recordedAt = timestamp.refine((text) => Date.parse(text) >= 0, {
  error: 'recorded_at must be a time since 1970.',
  params: { rule: 'time' },
})

const measured = {
  accuracy_m: maybe(z.number().min(0)),
  speed_mps: maybe(z.number().min(0)),
  heading_deg: maybe(z.number().min(0).max(360)).meta({ description: 'Clockwise from north' }),
  recorded_at: maybe(recordedAt).meta({ description: 'When it is received, if absent' }),
  battery_pct: maybe(z.number().min(0).max(100)),
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
  points ?? [{ lat: lat as number, lng: lng as number, ...measured }]

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
