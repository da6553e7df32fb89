import { instant } from '@svc/public-bodies'
import * as z from 'zod'
import { CLOCK_ADVANCE } from '../../http/limits.ts'
import { limited, merchant, reply, route } from '../../http/route.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/test/clock/advance',
    operationId: 'advanceClock',
    tag: 'Simulator',
    summary: 'Let time pass in the sandbox',
    description:
      'What is under way gets so much older, within a second; where that is tens of thousands of deliveries, within minutes. ' +
      'What begins later goes by the time of day. At most 20 times a minute per merchant.',
    auth: limited(merchant('orders:write'), CLOCK_ADVANCE),
    testOnly: true,
    body: z.strictObject({ seconds: z.int().min(1).max(2_592_000) }),
    replies: { 200: z.object({ now: instant.meta({ description: 'What the clock of the sandbox shows' }) }) },
    errors: ['test_mode_required', 'simulator_disabled'],
    async handle({ body }, services) {
      return reply(200, await services.simulator.advanceClock(body))
    },
  }),
]
