import { areasBody, areasOf, featureOf, geofences } from '../../bodies/place.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Dispatch of all merchants'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/platform-geofences',
    operationId: 'adminListPlatformGeofences',
    tag,
    summary: "Read the platform's geofences, inactive ones too",
    description:
      'Where the platform delivers, the highest priority first. What is to stay has to be sent again with the next set, so read it before you replace it.',
    auth: admin('admin.system.write'),
    replies: { 200: geofences },
    errors: [],
    async handle(_input, services) {
      const { zones } = await services.place.listPlatformGeofences({})
      return reply(200, { items: zones.map(featureOf) })
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/admin/platform-geofences',
    operationId: 'replacePlatformGeofences',
    tag,
    summary: "Replace the platform's geofences",
    description: 'The whole set or, where one geometry is not valid, nothing.',
    auth: admin('admin.system.write'),
    body: areasBody,
    replies: { 200: geofences },
    errors: [],
    async handle({ body }, services) {
      const { zones } = await services.place.replacePlatformGeofences({ zones: areasOf(body) })
      return reply(200, { items: zones.map(featureOf) })
    },
  }),
]
