import { HookServiceService } from '@svc/contracts/ingestion/v1/hook_service'
import { anyone, operator, rpc, serving } from '@svc/grpc'
import { pageFields, resourceId, text, uuid } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { deadLetterMessage } from '../messages/dead-letter.ts'
import { endDeadLetter } from '../use-cases/end-dead-letter.ts'
import { listDeadLetters } from '../use-cases/list-dead-letters.ts'
import { receiveHook } from '../use-cases/receive-hook.ts'
import { retryDeadLetter } from '../use-cases/retry-dead-letter.ts'

/** The rpcs of hooks. Anyone may send one: its signature is all that counts. */
export const hookService = serving<Context>()(HookServiceService, {
  receiveHook: rpc({
    access: anyone(),
    handle: (ctx, by, { channel, merchant_id, headers, body, exhausted_signers }) => {
      const exhaustedSigners = new Set(exhausted_signers)
      return receiveHook(ctx, by, { channel, merchantId: merchant_id?.toLowerCase(), headers, body, exhaustedSigners })
    },
  }),

  listDeadLetters: rpc({
    access: operator('admin.ingestion.read'),
    input: z.object({ ...pageFields(), merchant_id: uuid.optional(), include_resolved: z.boolean() }),
    async handle(ctx, by, { merchant_id: merchantId, include_resolved: includeResolved, ...page }) {
      const { items, total } = await listDeadLetters(ctx, by, { merchantId, includeResolved, ...page })
      return { items: items.map(deadLetterMessage), total, ...page }
    },
  }),

  retryDeadLetter: rpc({
    access: operator('admin.ingestion.retry'),
    handle: async (ctx, by, { id }) => ({
      dead_letter: deadLetterMessage(await retryDeadLetter(ctx, by, { id: resourceId(id) })),
    }),
  }),

  endDeadLetter: rpc({
    access: operator('admin.ingestion.retry'),
    input: z.object({ id: z.string().transform(resourceId), reason: text(512) }),
    handle: async (ctx, by, asked) => ({ dead_letter: deadLetterMessage(await endDeadLetter(ctx, by, asked)) }),
  }),
})
