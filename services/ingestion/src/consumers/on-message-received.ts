import { consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { takeMessage } from '../use-cases/conversations/take-message.ts'

/** Answers what customers have written. The fact only says that something came: what, stands in the row of the hook. */
export const onMessageReceived = consumer({
  name: 'message-received',
  of: ['ingestion.hook_received'],
  async handle({ message, aggregateVersion: attempt }, tx, ctx: Context) {
    if (ctx.channels.get(message.channel)?.isConversation)
      await takeMessage(ctx, tx, { hookId: message.hook_id, attempt })
  },
})
