import { paging, timestamp, uuid } from '@svc/inputs'
import { cashStatement } from '../../bodies/cash.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Cash on delivery'
const reading = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/cod-statement',
    operationId: 'getCashStatement',
    tag,
    summary: 'Read what became of the cash that riders collected, newest first, and its sums',
    description: 'Cash on delivery, entry by entry, and the sums of all that the filters let through.',
    auth: reading,
    query: {
      ...paging(),
      rider_id: uuid.optional(),
      since: timestamp.optional(),
      until: timestamp.optional().meta({ description: 'Before then' }),
    },
    replies: { 200: cashStatement },
    errors: [],
    async handle({ query }, services) {
      return reply(200, await services.cash.getCashStatement(query))
    },
  }),
]
