import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { adminDelivery } from '../../bodies/delivery.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Deliveries of all merchants'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/admin/outbound-webhook-deliveries/{deliveryId}/retry',
    operationId: 'adminRetryDelivery',
    tag,
    summary: "Queue a merchant's pending or dead delivery again",
    description:
      'It is attempted again, with its attempts counted anew, also where it was given up; it is on record. 400 `delivery_already_succeeded` for one that the endpoint took.',
    auth: admin('admin.webhooks.retry'),
    params: { deliveryId: uuid },
    replies: { 200: z.object({ ok: z.literal(true), delivery: adminDelivery }) },
    errors: ['not_found', 'delivery_already_succeeded'],
    async handle({ params }, services) {
      const retried = await services.delivery.retryDelivery({ id: params.deliveryId })
      return reply(200, { ok: true, delivery: required(retried.delivery) })
    },
  }),
]
