import { ok } from '@svc/public-bodies'
import { reply, rider, route } from '../../../http/route.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/riders/me/fleet/leave',
    operationId: 'leaveFleet',
    tag: 'Riders: work',
    summary: 'Leave the fleet',
    description:
      'Not while an order is under way. A former freelancer is one again. All tokens end, this one too: log in by a code.',
    auth: rider(),
    replies: { 200: ok },
    errors: ['not_found', 'active_order'],
    async handle(_input, services) {
      await services.fleet.leaveFleet({})
      return reply(200, { ok: true })
    },
  }),
]
