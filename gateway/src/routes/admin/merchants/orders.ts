import { uuid } from '@svc/inputs'
import { assignBody, assignedRider, assignedRiderOf } from '../../../bodies/assignment.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Dispatch of all merchants'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/admin/merchants/{merchantId}/orders/{orderId}/rider-assignment',
    operationId: 'adminAssignRider',
    tag,
    summary: "Give a merchant's order to a rider, or to nobody",
    description:
      'Without an offer; null takes the order away from its rider. The rules are those of the merchant: 402 where its wallet does not bear a freelancer, 409 `rider_unavailable` for a rider who is offline or has enough orders, 409 `order_terminal` for an order that has ended.',
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
