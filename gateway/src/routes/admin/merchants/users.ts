import { paging, uuid } from '@svc/inputs'
import { page } from '@svc/public-bodies'
import { user } from '../../../bodies/user.ts'
import { admin, reply, route } from '../../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/users',
    operationId: 'listUsers',
    tag: 'Merchants',
    summary: 'List those who log in for a merchant, newest first',
    description:
      'Their addresses, whether these are confirmed, and when each last logged in. 404 for an unknown merchant.',
    auth: admin('admin.merchants.read'),
    params: { merchantId: uuid },
    query: paging(),
    replies: { 200: page('items', user) },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id }, query }, services) {
      return reply(200, await services.merchant.listUsers({ ...query, merchant_id }))
    },
  }),
]
