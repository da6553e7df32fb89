import { booleanWord, upTo, uuid } from '@svc/inputs'
import { nearRiderOf, nearRiders } from '../../../bodies/assignment.ts'
import { latitudeWord, longitudeWord } from '../../../bodies/point.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Dispatch of all merchants'
const params = { merchantId: uuid }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/riders/near',
    operationId: 'adminListRidersNear',
    tag,
    summary: 'List riders near a point whom the merchant may see',
    description:
      'The riders of its fleet and freelancers within `metres`, nearest first, with name and phone. The sandbox rider and riders whose last position is too old are left out. 404 for an unknown merchant.',
    auth: admin('admin.riders.read'),
    params,
    query: {
      lat: latitudeWord,
      lng: longitudeWord,
      metres: upTo(100_000, 5_000),
      limit: upTo(100, 50),
      online_only: booleanWord.optional(),
    },
    replies: { 200: nearRiders },
    errors: ['not_found'],
    async handle({ params: { merchantId }, query: { lat, lng, metres, limit, online_only = false } }, services) {
      const request = { merchant_id: merchantId, point: { lat, lng }, metres, limit, online_only }
      const { items } = await services.position.listRidersNear(request)
      return reply(200, { items: items.map(nearRiderOf), lat, lng, metres, limit })
    },
  }),
]
