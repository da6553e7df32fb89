import { billingUsage } from '../../bodies/billing.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Billing'
const reading = merchant('orders:read', 'orders:write')

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/billing-usage',
    operationId: 'getBillingUsage',
    tag,
    summary: 'Read the deliveries of the present cycle',
    description: 'How much of what the tier contains is used, and when the period ends.',
    auth: reading,
    replies: { 200: billingUsage },
    errors: [],
    async handle(_input, services) {
      return reply(200, await services.billing.getBillingUsage({}))
    },
  }),
]
