import { paging } from '@svc/inputs'
import { reply, rider, viewedRoute } from '../../../http/route.ts'
import { statement } from '../../../schemas/wallet.ts'
import { statementView } from '../../../views/wallet.ts'

export const riderLedger = [
  viewedRoute({
    method: 'GET',
    path: '/v1/riders/me/ledger',
    operationId: 'getRiderWallet',
    tag: 'Riders: money',
    summary: "Read the rider's wallet and its entries, newest first",
    auth: rider(),
    query: paging(),
    replies: { 200: statement },
    errors: [],
    async handle({ query }, services) {
      return reply(200, statementView(await services.wallet.getRiderWallet(query)))
    },
  }),
]
