import { paging, text, uuid } from '@svc/inputs'
import { eventEnvelope, orNull, rawJson } from '@svc/public-bodies'
import * as z from 'zod'
import { merchant, reply, route } from '../http/route.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    tag: 'Events',
    summary: 'Read the event log, oldest first',
    description:
      'Every event of every order, delivered or not; sequence counts the events of one order without gaps. Events of money are there for merchants that list them; order_id leaves them out. A page ends at 8 MiB, before its limit; next_cursor goes on, and so does the cursor of any event. To begin with what happens from now on, ask after=latest once: it gives no event, and the next_cursor after which all that follow come.',
    auth: merchant('orders:read', 'webhooks:manage'),
    query: {
      limit: paging().limit,
      after: text(512).optional().meta({
        description:
          'The cursor of an event, or next_cursor of a page; latest: of the end of the log. Without it from the oldest on',
      }),
      order_id: uuid.optional(),
    },
    replies: { 200: z.object({ events: z.array(rawJson(eventEnvelope)), next_cursor: orNull(z.string()) }) },
    errors: [],
    async handle({ query }, services) {
      const { envelopes_json, next_cursor } = await services.event.listEvents(query)
      return reply(200, { events: envelopes_json, next_cursor })
    },
  }),
]
