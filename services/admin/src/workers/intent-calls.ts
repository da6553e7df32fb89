import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { ACCOUNT_MAIL } from '../security/account-mails.ts'
import { sendAccountMail } from '../use-cases/accounts/send-account-mail.ts'
import { KYB_SCAN, scanKybDocument } from '../use-cases/kyb/scan-kyb-document.ts'

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context): Record<string, IntentCall> {
  return { [ACCOUNT_MAIL]: (intent) => sendAccountMail(ctx(), intent) }
}

/** Scans, which take longer than mails and so hold none up. */
export function scanCalls(ctx: () => Context): Record<string, IntentCall> {
  return { [KYB_SCAN]: (intent) => scanKybDocument(ctx(), intent) }
}
