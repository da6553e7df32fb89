import { paging, uuid } from '@svc/inputs'
import { page } from '@svc/public-bodies'
import { sosAlert, sosAlertOf } from '../../bodies/rider.ts'
import { admin, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/sos-alerts',
    operationId: 'listSosAlerts',
    tag: 'Riders of all merchants',
    summary: 'List calls for help, newest first',
    description:
      'With place and note, where the rider sent them. Filter by merchant or rider; those of the sandbox rider are told only where `rider_id` names it.',
    auth: admin('admin.riders.read'),
    query: { ...paging(), merchant_id: uuid.optional(), rider_id: uuid.optional() },
    replies: { 200: page('items', sosAlert) },
    errors: [],
    async handle({ query }, services) {
      const alerts = await services.rider.listSosAlerts(query)
      return reply(200, { ...alerts, items: alerts.items.map(sosAlertOf) })
    },
  }),
]
