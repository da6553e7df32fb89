import type { GetTrackedPositionResponse } from '@svc/contracts/dispatch/v1/position_service'
import type { TrackOrderResponse } from '@svc/contracts/order/v1/order_service'
import { timestamp } from '@svc/inputs'
import { createLogger } from '@svc/logging'
import * as z from 'zod'
import { TRACKING } from '../http/limits.ts'
import { publicly, type Route, reply, viewedRoute } from '../http/route.ts'
import { TRACKING_EVENTS } from '../realtime/messages.ts'
import { REALTIME_PATH } from '../realtime/path.ts'
import { latitude, longitude } from '../schemas/point.ts'
import type { Services } from '../services.ts'
import { trackingView } from '../views/tracking.ts'

const LIVE_UPDATES = { path: REALTIME_PATH, transport: 'socket.io', event_catalog: TRACKING_EVENTS }
const POSITION_TIMEOUT_MS = 1_000

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
    rider: z
      .strictObject({
        first_name: z.string().nullable(),
        vehicle_type: z.string().nullable(),
        position: z.strictObject({ lat: latitude, lng: longitude, recorded_at: timestamp }).nullable(),
      })
      .nullable(),
    eta: z.strictObject({ p50_at: timestamp, p90_at: timestamp }).nullable(),
    updated_at: timestamp,
    live_updates: z
      .strictObject({
        path: z.string(),
        transport: z.literal('socket.io'),
        event_catalog: z.array(z.enum(TRACKING_EVENTS)),
      })
      .optional()
      .meta({ description: 'Connect with the tracking token in `auth.tracking_token`' }),
  })
  .meta({ id: 'Tracking' })

const logger = createLogger('tracking')

/** Where the rider is; without dispatch the page goes without it. */
async function positionOf(
  { order_id, rider_id }: TrackOrderResponse,
  services: Services,
): Promise<GetTrackedPositionResponse | undefined> {
  if (rider_id === undefined) return undefined
  return services
    .within(POSITION_TIMEOUT_MS)
    .position.getTrackedPosition({ order_id, rider_id })
    .catch((err: unknown) => {
      logger.warn({ err, order_id }, 'a tracking page goes without the position')
      return undefined
    })
}

const at = (path: string, operationId: string): Route =>
  viewedRoute({
    method: 'GET',
    path,
    operationId,
    tag: 'Tracking',
    summary: 'Follow an order by its tracking link',
    auth: publicly(...TRACKING),
    params: { token: z.string().regex(/^[A-Za-z0-9_-]{22}$/) },
    replies: { 200: tracking },
    errors: ['not_found', 'tracking_expired'],
    async handle({ params, config }, services) {
      const tracked = await services.order.trackOrder({ token: params.token })
      const live_updates = config.realtimeEnabled ? LIVE_UPDATES : undefined
      const seen = await positionOf(tracked, services)
      return reply(200, { ...trackingView(tracked, seen), live_updates }, { 'X-Robots-Tag': 'noindex' })
    },
  })

export const trackingRoutes = [
  at('/v1/tracking/{token}', 'trackOrder'),
  at('/v1/public/tracking/{token}', 'publicTrackOrder'),
]
