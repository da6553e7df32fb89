import { uuid } from '@svc/inputs'
import { adminZones, areasBody, areasOf, zonesOf } from '../../../bodies/place.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Dispatch of all merchants'
const params = { merchantId: uuid }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/dispatch-zones',
    operationId: 'adminListDispatchZones',
    tag,
    summary: "Read a merchant's zones",
    description:
      'As GeoJSON, inactive ones too, the highest priority first. Where a merchant has no active zone the geofences of the platform count. 404 for an unknown merchant.',
    auth: admin('admin.merchants.read'),
    params,
    replies: { 200: adminZones },
    errors: ['not_found'],
    async handle({ params: { merchantId } }, services) {
      const { zones } = await services.place.listDispatchZones({ merchant_id: merchantId })
      return reply(200, { merchant_id: merchantId, ...zonesOf(zones) })
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/admin/merchants/{merchantId}/dispatch-zones',
    operationId: 'replaceDispatchZones',
    tag,
    summary: "Replace a merchant's zones",
    description: 'The whole set or, where one geometry is not valid, nothing.',
    auth: admin('admin.merchants.write'),
    params,
    body: areasBody,
    replies: { 200: adminZones },
    errors: ['not_found'],
    async handle({ params: { merchantId }, body }, services) {
      const request = { merchant_id: merchantId, zones: areasOf(body) }
      const { zones } = await services.place.replaceDispatchZones(request)
      return reply(200, { merchant_id: merchantId, ...zonesOf(zones) })
    },
  }),
]
