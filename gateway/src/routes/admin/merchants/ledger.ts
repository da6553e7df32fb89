import { paging, uuid } from '@svc/inputs'
import { adminStatement, statementOf } from '../../../bodies/wallet.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Money of all merchants'
const params = { merchantId: uuid }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/ledger',
    operationId: 'adminGetWallet',
    tag,
    summary: "Read a merchant's live wallet and its entries, newest first",
    description:
      'What the merchant can spend and what is put aside, and each movement that made it so. 404 for an unknown merchant.',
    auth: admin('admin.ledger.read'),
    params,
    query: paging(),
    replies: { 200: adminStatement },
    errors: ['not_found'],
    async handle({ params: { merchantId: merchant_id }, query }, services) {
      const found = await services.wallet.getWallet({ merchant_id, ...query })
      return reply(200, { ...statementOf(found), items: found.ledger_transactions, merchant_id })
    },
  }),
]
