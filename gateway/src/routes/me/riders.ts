import { booleanWord, timestamp, upTo, uuid } from '@svc/inputs'
import * as z from 'zod'
import { nearRiderOf, nearRiders } from '../../bodies/assignment.ts'
import { latitudeWord, longitudeWord } from '../../bodies/point.ts'
import { positionHistory } from '../../bodies/position.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Riders of a merchant'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/riders/near',
    operationId: 'listRidersNear',
    tag,
    summary: 'List riders near a point, nearest first',
    description: 'Within `metres`, all riders whom the merchant may see, or with `online_only` those who take offers.',
    auth: merchant('orders:read', 'orders:write'),
    query: {
      lat: latitudeWord,
      lng: longitudeWord,
      metres: upTo(100_000, 50_000),
      limit: upTo(100, 50),
      online_only: booleanWord.optional(),
    },
    replies: { 200: nearRiders },
    errors: [],
    async handle({ query: { lat, lng, metres, limit, online_only = false } }, services) {
      const { items } = await services.position.listRidersNear({ point: { lat, lng }, metres, limit, online_only })
      return reply(200, { items: items.map(nearRiderOf), lat, lng, metres, limit })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/riders/{riderId}/location/history',
    operationId: 'listPositionHistory',
    tag,
    summary: 'Read where a rider was',
    description: 'Newest first unless `order` says otherwise; no more than `limit`, between `since` and `until`.',
    auth: merchant('orders:read', 'orders:write'),
    params: { riderId: uuid },
    query: {
      limit: upTo(2_000, 200),
      since: timestamp.optional(),
      until: timestamp.optional(),
      order: z.enum(['asc', 'desc']).default('desc'),
    },
    replies: { 200: positionHistory },
    errors: ['not_found', 'rider_not_found'],
    async handle({ params, query }, services) {
      const request = { rider_id: params.riderId, ...query }
      return reply(200, { ...request, ...(await services.position.listPositionHistory(request)) })
    },
  }),
]
