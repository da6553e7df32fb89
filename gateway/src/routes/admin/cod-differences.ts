import { paging } from '@svc/inputs'
import { adminRemittanceList } from '../../bodies/cash.ts'
import { admin, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/cod-differences',
    operationId: 'listCashDifferences',
    tag: 'Cash of all merchants',
    summary: 'List hand-overs that are disputed or were confirmed as less, the oldest first',
    description: 'Each waits for an operator, who decides it by `POST /v1/admin/cod-remittances/{id}/resolve`.',
    auth: admin('admin.ledger.read'),
    query: paging(),
    replies: { 200: adminRemittanceList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listCashDifferences(query))
    },
  }),
]
