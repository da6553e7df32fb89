import { upTo, uuid } from '@svc/inputs'
import {
  assignBody,
  assignedRider,
  assignedRiderOf,
  candidates,
  dispatchTrace,
  dispatchTraceOf,
} from '../../bodies/assignment.ts'
import { latitudeWord, longitudeWord } from '../../bodies/point.ts'
import { andKeysManage, merchant, reply, route } from '../../http/route.ts'

const tag = 'Orders'

export const orderDispatch = [
  route({
    method: 'POST',
    path: '/v1/orders/{id}/rider-assignment',
    operationId: 'assignRider',
    tag,
    summary: 'Give the order to a rider, or to nobody',
    description: 'The rider it has already changes nothing. Test orders take the sandbox rider alone.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrderPatch'),
    params: { id: uuid },
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
      'billing_blocked',
      'insufficient_wallet_for_freelancer_order',
    ],
    async handle({ params, body }, services) {
      const rider_id = body.rider_id ?? undefined
      return reply(200, assignedRiderOf(await services.assignment.assignRider({ order_id: params.id, rider_id })))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/orders/{id}/dispatch-candidates',
    operationId: 'listDispatchCandidates',
    tag,
    summary: 'List riders near a point, best first',
    auth: merchant('orders:read'),
    params: { id: uuid },
    query: { lat: latitudeWord, lng: longitudeWord, metres: upTo(100_000, 5_000), limit: upTo(50, 20) },
    replies: { 200: candidates },
    errors: ['not_found'],
    async handle({ params, query: { lat, lng, metres, limit } }, services) {
      const request = { order_id: params.id, point: { lat, lng }, metres, limit }
      const found = await services.assignment.listDispatchCandidates(request)
      return reply(200, { ...found, order_id: params.id, lat, lng, metres, limit })
    },
  }),
  route({
    method: 'GET',
    path: '/v1/orders/{id}/dispatch-trace',
    operationId: 'getDispatchTrace',
    tag,
    summary: 'Read why each rider was asked or left out',
    auth: merchant('orders:read', 'orders:write'),
    params: { id: uuid },
    replies: { 200: dispatchTrace },
    errors: ['not_found'],
    async handle({ params }, services) {
      return reply(200, dispatchTraceOf(await services.assignment.getDispatchTrace({ order_id: params.id })))
    },
  }),
]
