import { paging, uuid } from '@svc/inputs'
import { cashAccountList } from '../../bodies/cash.ts'
import { admin, reply, route } from '../../http/route.ts'

const tag = 'Cash of all merchants'
const reading = admin('admin.ledger.read')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/cod-accounts',
    operationId: 'adminListCashAccounts',
    tag,
    summary: 'List what riders have in hand, the largest sums first',
    description:
      'Live cash on delivery: one row for each rider, merchant and currency, with what was collected, handed over and corrected. Filter by rider or merchant.',
    auth: reading,
    query: { ...paging(), rider_id: uuid.optional(), merchant_id: uuid.optional() },
    replies: { 200: cashAccountList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.listCashAccounts(query))
    },
  }),
]
