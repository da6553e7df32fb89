import type { EventServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { ServiceError, validationError } from '@svc/errors'
import { type Handlers, requireMerchant } from '@svc/grpc'
import { optionalUuid } from '@svc/inputs'
import type { Context } from '../context.ts'
import { listEvents } from '../use-cases/list-events.ts'
import { replayEvents } from '../use-cases/replay-events.ts'
import { cursorField, eventsField, pageLimit, statusField } from './fields.ts'

/** The rpcs of the pull event log. */
export function eventService(ctx: Context): Handlers<typeof EventServiceService> {
  return {
    async listEvents(request, call) {
      const tenant = requireMerchant(call)
      const { scopes } = call.caller
      if (!scopes.includes('orders:read') && !scopes.includes('webhooks:manage')) throw new ServiceError('forbidden')
      const { envelopes, nextCursor } = await listEvents(ctx, tenant, {
        after: cursorField(request.after),
        orderId: optionalUuid('order_id', request.order_id),
        limit: pageLimit(request.limit),
      })
      return { envelopes_json: envelopes, next_cursor: nextCursor === null ? undefined : String(nextCursor) }
    },

    async replayEvents(request, call) {
      const tenant = requireMerchant(call, 'webhooks:manage')
      if (!request.since) {
        throw validationError([{ field: 'since', rule: 'required', message: 'since is required.' }])
      }
      const queued = await replayEvents(ctx, call.caller, tenant, {
        since: new Date(request.since),
        until: request.until ? new Date(request.until) : new Date(8.64e15),
        events: request.events.length > 0 ? eventsField(request.events) : null,
        status: statusField(request.status),
      })
      return { queued }
    },
  }
}
