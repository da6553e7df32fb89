import { featureOf, geofences, zones, zonesOf } from '../../bodies/place.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Dispatch of a merchant'
const auth = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/dispatch/platform-geofences',
    operationId: 'listPlatformGeofences',
    tag,
    summary: "Read the platform's active geofences",
    description: 'Where the platform delivers at all.',
    auth,
    replies: { 200: geofences },
    errors: [],
    async handle(_input, services) {
      const listed = await services.place.listPlatformGeofences({})
      return reply(200, { items: listed.zones.map(featureOf) })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/dispatch/zones',
    operationId: 'listDispatchZones',
    tag,
    summary: 'Read the dispatch zones as GeoJSON',
    description: 'Where orders of this merchant are taken, one feature for each zone.',
    auth,
    replies: { 200: zones },
    errors: [],
    async handle(_input, services) {
      const listed = await services.place.listDispatchZones({})
      return reply(200, zonesOf(listed.zones))
    },
  }),
]
