import { paging } from '@svc/inputs'
import { page, required } from '@svc/public-bodies'
import * as z from 'zod'
import { merchantOf, merchantRecord } from '../../../bodies/merchant.ts'
import { admin, reply, route } from '../../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/business-approval-queue',
    operationId: 'listBusinessApprovalQueue',
    tag: 'Merchants',
    summary: 'List the businesses that wait for approval',
    description: 'Verified ones whose approval is pending, and rejected ones; what was changed longest ago first.',
    auth: admin('admin.merchants.read'),
    query: { ...paging(500), business_approval_status: z.enum(['pending', 'rejected']).optional() },
    replies: { 200: page('items', merchantRecord) },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.kyb.listBusinessApprovalQueue(query)
      const merchant_ids = items.map(({ id }) => id)
      const { webhooks } = await services.outboundWebhook.getOutboundWebhooks({ merchant_ids })
      const rows = items.map((merchant, i) => merchantOf(merchant, required(webhooks[i])))
      return reply(200, { items: rows, total, limit, offset })
    },
  }),
]
