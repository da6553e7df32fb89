import { upTo, uuid } from '@svc/inputs'
import { andKeysManage, merchant, reply, viewedRoute } from '../../http/route.ts'
import { assignBody, assignReply, candidates, dispatchTrace } from '../../schemas/assignment.ts'
import { latitudeWord, longitudeWord } from '../../schemas/point.ts'
import { assignmentView, candidateView, dispatchTraceView } from '../../views/assignment.ts'

const tag = 'Orders'

export const orderDispatch = [
  viewedRoute({
    method: 'POST',
    path: '/v1/orders/{id}/rider-assignment',
    operationId: 'assignRider',
    tag,
    summary: 'Give the order to a rider, or to nobody',
    description: 'The rider it has already changes nothing. Test orders take the sandbox rider alone.',
    auth: andKeysManage(merchant('orders:write'), 'keysManageForOrderPatch'),
    params: { id: uuid },
    body: assignBody,
    replies: { 200: assignReply },
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
      return reply(200, assignmentView(await services.assignment.assignRider({ order_id: params.id, rider_id })))
    },
  }),
  viewedRoute({
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
      const rows = found.candidates.map(candidateView)
      return reply(200, { order_id: params.id, lat, lng, metres, limit, candidates: rows })
    },
  }),
  viewedRoute({
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
      return reply(200, dispatchTraceView(await services.assignment.getDispatchTrace({ order_id: params.id })))
    },
  }),
]
