import { timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { merchant, reply, viewedRoute } from '../../http/route.ts'
import { MERCHANT_EVENTS, visibleLocations } from '../../realtime/messages.ts'
import { REALTIME_PATH } from '../../realtime/path.ts'
import { merchantRoom } from '../../realtime/rooms.ts'

const degrees = z.number()

const riderLocation = z
  .strictObject({
    rider_id: uuid,
    merchant_id: uuid,
    lat: degrees,
    lng: degrees,
    accuracy_m: z.number().nullable(),
    heading_deg: z.number().nullable(),
    speed_mps: z.number().nullable(),
    recorded_at: timestamp.nullable(),
    received_at: timestamp.nullable(),
    active_order_ids: z.array(uuid),
    is_test: z.boolean(),
    seq: z.int(),
  })
  .meta({ id: 'RealtimeRiderLocation' })

export const myRealtime = [
  viewedRoute({
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
      200: z.strictObject({
        enabled: z.boolean(),
        transport: z.literal('socket.io'),
        url: z.string().nullable(),
        path: z.string(),
        namespace: z.literal('/'),
        room: z.string(),
        auth_field: z.literal('merchant_access_token'),
        events: z.array(z.enum(MERCHANT_EVENTS)),
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
        url: config.publicBaseUrl ?? null,
        path: REALTIME_PATH,
        namespace: '/',
        room: merchantRoom(merchantId, null),
        auth_field: 'merchant_access_token',
        events: [...MERCHANT_EVENTS],
        initial_positions: visibleLocations(riders, merchantId, caller.isTest),
      })
    },
  }),
]
