import { paging, uuid } from '@svc/inputs'
import { admin, reply, viewedRoute } from '../../http/route.ts'
import { page } from '../../schemas/pieces.ts'
import { sosAlert } from '../../schemas/rider.ts'
import { sosAlertView } from '../../views/rider.ts'

export const adminSosAlerts = [
  viewedRoute({
    method: 'GET',
    path: '/v1/admin/sos-alerts',
    operationId: 'listSosAlerts',
    tag: 'Riders of all merchants',
    summary: 'List calls for help, newest first',
    auth: admin('admin.riders.read'),
    query: { ...paging(), merchant_id: uuid.optional(), rider_id: uuid.optional() },
    replies: { 200: page('items', sosAlert) },
    errors: [],
    async handle({ query }, services) {
      const { items, total, limit, offset } = await services.rider.listSosAlerts(query)
      return reply(200, { items: items.map(sosAlertView), total, limit, offset })
    },
  }),
]
