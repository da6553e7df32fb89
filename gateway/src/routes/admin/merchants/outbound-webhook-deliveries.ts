import { paging, uuid } from '@svc/inputs'
import * as z from 'zod'
import { adminDeliveryList, DELIVERY_STATUSES, eventName } from '../../../bodies/delivery.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Deliveries of all merchants'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/outbound-webhook-deliveries',
    operationId: 'adminListDeliveries',
    tag,
    summary: "List a merchant's deliveries, newest first",
    description:
      'What became of each webhook, with its attempts: for a merchant who misses events. Filter by order, status or event. 404 for an unknown merchant.',
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
]
