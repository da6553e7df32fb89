import { EventServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { merchant, rpc, serving } from '@svc/grpc'
import { pageFields, timestamp, uuid } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { listEvents } from '../use-cases/list-events.ts'
import { replayEvents } from '../use-cases/replay-events.ts'
import { deliveryStatus, eventNames } from './pieces.ts'

const cursor = z
  .string()
  .refine((text) => text === 'latest' || /^\d{1,15}$/.test(text), {
    message: 'after must be the cursor of an event, the next_cursor of a page, or latest.',
    params: { rule: 'cursor' },
  })
  .transform((text) => (text === 'latest' ? text : Number(text)))

const eventsAsked = z.object({ after: cursor.optional(), order_id: uuid.optional(), limit: pageFields().limit })

const instant = timestamp.transform((text) => new Date(text))

const replayAsked = z.object({
  since: instant,
  until: instant.optional(),
  events: eventNames,
  status: deliveryStatus.optional(),
})

/** The rpcs of the pull event log. */
export const eventService = serving<Context>()(EventServiceService, {
  listEvents: rpc({
    access: merchant('orders:read', 'webhooks:manage'),
    input: eventsAsked,
    async handle(ctx, by, { after, order_id: orderId, limit }) {
      const { entries, nextCursor } = await listEvents(ctx, by, { after, orderId, limit })
      return { envelopes_json: entries, next_cursor: nextCursor?.toString() }
    },
  }),

  replayEvents: rpc({
    access: merchant('webhooks:manage'),
    input: replayAsked,
    handle: async (ctx, by, period) => ({ queued: await replayEvents(ctx, by, period) }),
  }),
})
