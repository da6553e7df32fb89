import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { REPLY_INTENT, sendReply } from '../use-cases/conversations/send-reply.ts'

/** The calls of this service that must happen, by the kind of their intents. */
export const intentCalls = (ctx: () => Context): Record<string, IntentCall> => ({
  [REPLY_INTENT]: (intent) => sendReply(ctx(), intent),
})
