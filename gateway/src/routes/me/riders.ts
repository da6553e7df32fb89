import { booleanWord, timestamp, upTo, uuid } from '@svc/inputs'
import * as z from 'zod'
import { merchant, reply, viewedRoute } from '../../http/route.ts'
import { nearRiders } from '../../schemas/assignment.ts'
import { latitudeWord, longitudeWord } from '../../schemas/point.ts'
import { positionHistory } from '../../schemas/position.ts'
import { nearRiderView } from '../../views/assignment.ts'
import { orNull } from '../../views/or-null.ts'
import { historyPointView } from '../../views/position.ts'

const tag = 'Riders of a merchant'

export const myRiders = [
  viewedRoute({
    method: 'GET',
    path: '/v1/me/riders/near',
    operationId: 'listRidersNear',
    tag,
    summary: 'List riders near a point, nearest first',
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
      return reply(200, { items: items.map(nearRiderView), lat, lng, metres, limit })
    },
  }),
  viewedRoute({
    method: 'GET',
    path: '/v1/me/riders/{riderId}/location/history',
    operationId: 'listPositionHistory',
    tag,
    summary: 'Read where a rider was',
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
      const { items } = await services.position.listPositionHistory({ rider_id: params.riderId, ...query })
      return reply(200, {
        rider_id: params.riderId,
        items: items.map(historyPointView),
        limit: query.limit,
        order: query.order,
        since: orNull(query.since),
        until: orNull(query.until),
      })
    },
  }),
]
