import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { latitude, longitude, wholePoints } from './point.ts'

const recordedAt = timestamp.refine((text) => Date.parse(text) >= 0, {
  error: 'recorded_at must be a time since 1970.',
  params: { rule: 'time' },
})

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

/** A rider's position. */
export const location = z
  .strictObject({
    rider_id: uuid,
    lat: latitude,
    lng: longitude,
    accuracy_m: z.number().nullable(),
    heading_deg: z.number().nullable(),
    speed_mps: z.number().nullable(),
    recorded_at: timestamp,
    received_at: timestamp,
  })
  .meta({ id: 'Location' })

export const positionHistory = z.strictObject({
  rider_id: uuid,
  items: z.array(
    z.strictObject({ lat: latitude, lng: longitude, accuracy_m: z.number().nullable(), recorded_at: timestamp }),
  ),
  limit: z.int(),
  order: z.enum(['asc', 'desc']),
  since: timestamp.nullable(),
  until: timestamp.nullable(),
})
