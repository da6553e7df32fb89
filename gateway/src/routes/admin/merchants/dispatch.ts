import { booleanWord, upTo, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import { assignBody, assignedRider, assignedRiderOf, nearRiders } from '../../../bodies/assignment.ts'
import { adminZones, areasBody, areasOf, schedule, scheduleBody, zonesOf } from '../../../bodies/place.ts'
import { latitudeWord, longitudeWord } from '../../../bodies/point.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Dispatch of all merchants'
const params = { merchantId: uuid }

export const adminMerchantDispatch = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/riders/near',
    operationId: 'adminListRidersNear',
    tag,
    summary: 'List riders near a point whom the merchant may see',
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
      return reply(200, { ...(await services.position.listRidersNear(request)), lat, lng, metres, limit })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/dispatch-zones',
    operationId: 'adminListDispatchZones',
    tag,
    summary: "Read a merchant's zones",
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
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/dispatch-schedule',
    operationId: 'getDispatchSchedule',
    tag,
    summary: 'Read when dispatch runs for a merchant',
    auth: admin('admin.merchants.read'),
    params,
    replies: { 200: schedule },
    errors: ['not_found'],
    async handle({ params: { merchantId } }, services) {
      const found = await services.place.getDispatchSchedule({ merchant_id: merchantId })
      return reply(200, { merchant_id: merchantId, ...required(found.schedule) })
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/admin/merchants/{merchantId}/dispatch-schedule',
    operationId: 'replaceDispatchSchedule',
    tag,
    summary: 'Set when dispatch runs for a merchant',
    auth: admin('admin.merchants.write'),
    params,
    body: scheduleBody,
    replies: { 200: schedule },
    errors: ['not_found'],
    async handle({ params: { merchantId }, body }, services) {
      const request = { merchant_id: merchantId, schedule: body }
      const replaced = await services.place.replaceDispatchSchedule(request)
      return reply(200, { merchant_id: merchantId, ...required(replaced.schedule) })
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/merchants/{merchantId}/orders/{orderId}/rider-assignment',
    operationId: 'adminAssignRider',
    tag,
    summary: "Give a merchant's order to a rider, or to nobody",
    auth: admin('admin.orders.write'),
    params: { merchantId: uuid, orderId: uuid },
    body: assignBody,
    replies: { 200: assignedRider },
    errors: [
      'not_found',
      'rider_not_found',
      'order_terminal',
      'invalid_state',
      'rider_unavailable',
      'test_rider_required',
      'kyc_not_approved',
      'insufficient_wallet_for_freelancer_order',
    ],
    async handle({ params: { merchantId, orderId }, body }, services) {
      const request = { merchant_id: merchantId, order_id: orderId, rider_id: body.rider_id ?? undefined }
      return reply(200, assignedRiderOf(await services.assignment.assignRider(request)))
    },
  }),
]
