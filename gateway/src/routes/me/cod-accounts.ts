import { paging, uuid } from '@svc/inputs'
import { cashAccountList } from '../../bodies/cash.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Cash on delivery'
const reading = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/cod-accounts',
    operationId: 'listCashAccounts',
    tag,
    summary: 'List what each rider has in hand, the largest sums first',
    description: 'Cash that riders collected and have not handed over yet.',
    auth: reading,
    query: { ...paging(), rider_id: uuid.optional() },
    replies: { 200: cashAccountList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listCashAccounts(query))
    },
  }),
]
