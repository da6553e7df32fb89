import { paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { adminDelivery, adminDeliveryList, eventName } from '../../schemas/webhook.ts'
import { present } from '../../views/or-null.ts'
import { adminDeliveryView } from '../../views/webhook.ts'

const tag = 'Deliveries of all merchants'

export const adminDeliveries = [
  viewedRoute({
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
      status: z.enum(['pending', 'succeeded', 'dead']).optional(),
      event: eventName.optional(),
    },
    replies: { 200: adminDeliveryList },
    errors: ['not_found'],
    async handle({ params, query }, services) {
      const request = { ...query, merchant_id: params.merchantId }
      const { items, total, limit, offset } = await services.delivery.listDeliveries(request)
      return reply(200, { items: items.map(adminDeliveryView), total, limit, offset })
    },
  }),
  viewedRoute({
    method: 'POST',
    path: '/v1/admin/outbound-webhook-deliveries/{deliveryId}/retry',
    operationId: 'adminRetryDelivery',
    tag,
    summary: "Queue a merchant's pending or dead delivery again",
    auth: admin('admin.webhooks.retry'),
    params: { deliveryId: uuid },
    replies: { 200: z.strictObject({ ok: z.literal(true), delivery: adminDelivery }) },
    errors: ['not_found', 'delivery_already_succeeded'],
    async handle({ params }, services) {
      const retried = await services.delivery.retryDelivery({ id: params.deliveryId })
      return reply(200, { ok: true, delivery: adminDeliveryView(present(retried.delivery)) })
    },
  }),
]
