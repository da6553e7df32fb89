import type { GetTrackedPositionResponse } from '@svc/contracts/dispatch/v1/position_service'
import type { TrackOrderResponse } from '@svc/contracts/order/v1/order_service'
import { matching } from '@svc/inputs'
import { createLogger } from '@svc/logging'
import { TRACKING_EVENTS } from '../bodies/realtime.ts'
import { tracking, trackingOf } from '../bodies/tracking.ts'
import { TRACKING } from '../http/limits.ts'
import { publicly, type Route, reply, route } from '../http/route.ts'
import { trackingPage } from '../pages/tracking.ts'
import { REALTIME_PATH } from '../realtime/path.ts'
import type { Services } from '../services.ts'

const LIVE_UPDATES = { path: REALTIME_PATH, transport: 'socket.io' as const, event_catalog: [...TRACKING_EVENTS] }
const POSITION_TIMEOUT_MS = 1_000

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

/** The page of an order, at one of its two addresses. */
export const trackingAt = (path: string, operationId: string): Route =>
  route({
    method: 'GET',
    path,
    operationId,
    tag: 'Tracking',
    summary: 'Follow an order by its tracking link',
    description:
      'What the customer may see of one order: its status and times, where it comes from and goes to, and the first name, vehicle and position of the rider. 404 for an unknown token, and 404 `tracking_expired` some time after the order has ended. `live_updates`, where it is there, says how to go on by a socket. Where `Accept` prefers HTML, as a browser does, all of it is a page that keeps itself up to date.',
    auth: publicly(...TRACKING),
    params: { token: matching(/^[A-Za-z0-9_-]{22}$/, 'must be a tracking token') },
    replies: { 200: tracking },
    page: trackingPage,
    errors: ['not_found', 'tracking_expired'],
    async handle({ params, config }, services) {
      const tracked = await services.order.trackOrder({ token: params.token })
      const live_updates = config.realtimeEnabled ? LIVE_UPDATES : undefined
      const seen = await positionOf(tracked, services)
      return reply(200, { ...trackingOf(tracked, seen), live_updates }, { 'X-Robots-Tag': 'noindex' })
    },
  })

export const routes = [trackingAt('/v1/tracking/{token}', 'trackOrder')]
