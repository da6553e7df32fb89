import { whole } from '@svc/public-bodies'
import * as z from 'zod'
import { MESSAGING_ENGINES } from '../../../bodies/merchant.ts'
import { admin, reply, route } from '../../../http/route.ts'

/** As long as some hundred thousand merchants may take. */
const DEADLINE_MS = 60_000

export const routes = [
  route({
    method: 'POST',
    path: '/v1/admin/merchants/messaging-engine-bulk',
    operationId: 'bulkUpdateMessagingEngine',
    tag: 'Merchants',
    summary: 'Set the messaging engine of every merchant',
    description: 'Where it ends before its time, what was done stays, and a repeat does the rest.',
    auth: admin('admin.system.write'),
    deadlineMs: DEADLINE_MS,
    body: z.strictObject({
      confirmation: z.literal('UPDATE_ALL_MERCHANTS'),
      messaging_engine: z.enum(MESSAGING_ENGINES),
    }),
    replies: {
      200: z.object({ updated: whole.meta({ description: 'Merchants that had another one' }) }),
    },
    errors: [],
    async handle({ body: { messaging_engine } }, services) {
      return reply(200, await services.merchant.bulkUpdateMessagingEngine({ messaging_engine }))
    },
  }),
]
