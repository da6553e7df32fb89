import { uuid } from '@svc/inputs'
import { required } from '@svc/public-bodies'
import { schedule, scheduleBody } from '../../../bodies/place.ts'
import { admin, reply, route } from '../../../http/route.ts'

const tag = 'Dispatch of all merchants'
const params = { merchantId: uuid }

export const routes = [
  route({
    method: 'GET',
    path: '/v1/admin/merchants/{merchantId}/dispatch-schedule',
    operationId: 'getDispatchSchedule',
    tag,
    summary: 'Read when dispatch runs for a merchant',
    description:
      'The `windows` by the clock of its `timezone`, and the `closed_dates`. Without windows dispatch runs on every day that is not closed. 404 for an unknown merchant.',
    auth: admin('admin.merchants.read'),
    params,
    replies: { 200: schedule },
    errors: ['not_found'],
    async handle({ params: { merchantId } }, services) {
      const found = await services.place.getDispatchSchedule({ merchant_id: merchantId })
      return reply(200, { merchant_id: merchantId, ...required(found.schedule) })
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/admin/merchants/{merchantId}/dispatch-schedule',
    operationId: 'replaceDispatchSchedule',
    tag,
    summary: 'Set when dispatch runs for a merchant',
    description:
      'Takes the place of the whole schedule, and orders that wait are looked at again by it. An empty `windows` lets dispatch run on every day that is not closed. 400 names each entry that is not valid.',
    auth: admin('admin.merchants.write'),
    params,
    body: scheduleBody,
    replies: { 200: schedule },
    errors: ['not_found'],
    async handle({ params: { merchantId }, body }, services) {
      const request = { merchant_id: merchantId, schedule: body }
      const replaced = await services.place.replaceDispatchSchedule(request)
      return reply(200, { merchant_id: merchantId, ...required(replaced.schedule) })
    },
  }),
]
