import * as z from 'zod'
import { TRACKING } from '../http/limits.ts'
import { publicly, type Route, reply, route } from '../http/route.ts'
import { timestamp } from '../schemas/pieces.ts'
import { trackingView } from '../views/tracking.ts'

const place = z.strictObject({ text: z.string() })

const tracking = z
  .strictObject({
    status: z.string(),
    is_test: z.boolean(),
    pickup: place,
    dropoff: place,
    pickup_address: z.string(),
    dropoff_address: z.string(),
    scheduled_pickup_at: timestamp.nullable(),
    delivery_window_start: timestamp.nullable(),
    delivery_window_end: timestamp.nullable(),
    rider: z.strictObject({ first_name: z.string().nullable(), vehicle_type: z.string().nullable() }).nullable(),
    eta: z.strictObject({ p50_at: timestamp, p90_at: timestamp }).nullable(),
    updated_at: timestamp,
  })
  .meta({ id: 'Tracking' })

const at = (path: string, operationId: string): Route =>
  route({
    method: 'GET',
    path,
    operationId,
    tag: 'Tracking',
    summary: 'Follow an order by its tracking link',
    auth: publicly(...TRACKING),
    params: { token: z.string().regex(/^[A-Za-z0-9_-]{22}$/) },
    replies: { 200: tracking },
    errors: ['not_found', 'tracking_expired'],
    async handle({ params }, services) {
      const tracked = await services.order.trackOrder({ token: params.token })
      return reply(200, trackingView(tracked), { 'X-Robots-Tag': 'noindex' })
    },
  })

export const trackingRoutes = [
  at('/v1/tracking/{token}', 'trackOrder'),
  at('/v1/public/tracking/{token}', 'publicTrackOrder'),
]
