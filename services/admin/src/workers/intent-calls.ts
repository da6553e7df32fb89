import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { ACCOUNT_MAIL } from '../security/account-mails.ts'
import { sendAccountMail } from '../use-cases/accounts/send-account-mail.ts'

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context): Record<string, IntentCall> {
  return { [ACCOUNT_MAIL]: (intent) => sendAccountMail(ctx(), intent) }
}
