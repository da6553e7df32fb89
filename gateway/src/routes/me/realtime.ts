import { orNull, words } from '@svc/public-bodies'
import * as z from 'zod'
import { MERCHANT_EVENTS, riderLocation } from '../../bodies/realtime.ts'
import { merchant, reply, route } from '../../http/route.ts'
import { visibleLocations } from '../../realtime/messages.ts'
import { REALTIME_PATH } from '../../realtime/path.ts'
import { merchantRoom } from '../../realtime/rooms.ts'

const EVENTS = [...MERCHANT_EVENTS]

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/realtime/rider-location',
    operationId: 'listLivePositions',
    tag: 'Realtime',
    summary: 'Learn how to follow riders live',
    description:
      'Connect with socket.io to `url` and `path`, with the merchant access token in `auth.merchant_access_token`. ' +
      'The socket joins the room of its merchant by itself, gets `rider_locations_snapshot` at once and every 30 s, ' +
      '`rider_location` at most once a second per rider, and `rider_online_status`.',
    auth: merchant('orders:read', 'orders:write'),
    replies: {
      200: z.object({
        enabled: z.boolean(),
        transport: z.literal('socket.io'),
        url: orNull(z.string()),
        path: z.string(),
        namespace: z.literal('/'),
        room: z.string(),
        auth_field: z.literal('merchant_access_token'),
        events: z.array(words(...MERCHANT_EVENTS)),
        initial_positions: z.array(riderLocation),
      }),
    },
    errors: [],
    async handle({ caller, config }, services) {
      const merchantId = caller.merchantId as string
      const { riders } = config.realtimeEnabled ? await services.position.listLivePositions({}) : { riders: [] }
      return reply(200, {
        enabled: config.realtimeEnabled,
        transport: 'socket.io',
        url: config.publicBaseUrl,
        path: REALTIME_PATH,
        namespace: '/',
        room: merchantRoom(merchantId, null),
        auth_field: 'merchant_access_token',
        events: EVENTS,
        initial_positions: visibleLocations(riders, merchantId, caller.isTest),
      })
    },
  }),
]
