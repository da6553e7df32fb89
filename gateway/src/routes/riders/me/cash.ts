import { paging } from '@svc/inputs'
import { cashAccountList } from '../../../bodies/cash.ts'
import { reply, rider, route } from '../../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/riders/me/cash',
    operationId: 'getRiderCash',
    tag: 'Riders: money',
    summary: 'Read what cash the rider has in hand, by merchant, the largest sums first',
    description: 'Cash on delivery belongs to the merchant; it is no part of what the rider earns.',
    auth: rider(),
    query: paging(),
    replies: { 200: cashAccountList },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.getRiderCash(query))
    },
  }),
]
