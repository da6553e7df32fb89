import type { HookServiceService } from '@svc/contracts/ingestion/v1/hook_service'
import { ServiceError } from '@svc/errors'
import { type Handlers, requireAdmin } from '@svc/grpc'
import { pageOf, resourceId, uuidField } from '@svc/inputs'
import type { Context } from '../context.ts'
import { deadLetterMessage } from '../messages/dead-letter.ts'
import { listDeadLetters } from '../use-cases/list-dead-letters.ts'
import { receiveHook } from '../use-cases/receive-hook.ts'
import { retryDeadLetter } from '../use-cases/retry-dead-letter.ts'

const RETRY_AFTER_SECONDS = 10

/** The rpcs of hooks. Anybody may send one: its signature is all that counts. */
export function hookService(ctx: Context): Handlers<typeof HookServiceService> {
  return {
    async receiveHook({ channel, merchant_id, headers, body }) {
      try {
        return await receiveHook(ctx, { channel, merchantId: merchant_id?.toLowerCase(), headers, body })
      } catch (error) {
        if (error instanceof ServiceError) throw error
        // Whatever else failed is our fault, and passes: the third party shall send it again.
        ctx.logger.error({ err: error, channel }, 'a hook could not be kept')
        throw new ServiceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
      }
    },

    async listDeadLetters({ merchant_id, include_resolved: includeResolved, ...asked }, call) {
      requireAdmin(call, 'admin.ingestion.read')
      const page = pageOf(asked)
      const merchantId = merchant_id === undefined ? undefined : uuidField('merchant_id', merchant_id)
      const { items, total } = await listDeadLetters(ctx, { merchantId, includeResolved }, page)
      return { items: items.map(deadLetterMessage), total, ...page }
    },

    async retryDeadLetter({ id }, call) {
      const caller = requireAdmin(call, 'admin.ingestion.retry')
      return { dead_letter: deadLetterMessage(await retryDeadLetter(ctx, caller, resourceId(id))) }
    },
  }
}
