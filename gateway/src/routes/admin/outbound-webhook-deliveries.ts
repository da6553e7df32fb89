import { paging, uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import * as z from 'zod'
import { adminDelivery, adminDeliveryList, DELIVERY_STATUSES, eventName } from '../../bodies/delivery.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Deliveries of all merchants'

export const adminDeliveries = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/outbound-webhook-deliveries',
    operationId: 'adminListDeliveries',
    tag,
    summary: "List a merchant's deliveries, newest first",
    auth: admin('admin.webhooks.read'),
    params: { merchantId: uuid },
    query: {
      ...paging(),
      order_id: uuid.optional(),
      status: z.enum(DELIVERY_STATUSES).optional(),
      event: eventName.optional(),
    },
    replies: { 200: adminDeliveryList },
    errors: ['not_found'],
    async handle({ params, query }, services) {
      const request = { ...query, merchant_id: params.merchantId }
      return reply(200, await services.delivery.listDeliveries(request))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/outbound-webhook-deliveries/{deliveryId}/retry',
    operationId: 'adminRetryDelivery',
    tag,
    summary: "Queue a merchant's pending or dead delivery again",
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
