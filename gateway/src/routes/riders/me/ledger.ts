import { paging } from '@svc/inputs'
import { statement, statementOf } from '../../../bodies/wallet.ts'
import { reply, rider, route } from '../../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/riders/me/ledger',
    operationId: 'getRiderWallet',
    tag: 'Riders: money',
    summary: "Read the rider's wallet and its entries, newest first",
    description:
      'What the rider has earned, and in `available_minor` how much of it may be withdrawn. Cash on delivery is no part of it: read that at `/v1/riders/me/cash`.',
    auth: rider(),
    query: paging(),
    replies: { 200: statement },
    errors: [],
    async handle({ query }, services) {
      return reply(200, statementOf(await services.wallet.getRiderWallet(query)))
    },
  }),
]
