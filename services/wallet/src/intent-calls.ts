import type { IntentCall } from '@svc/outbox'
import type { Context } from './context.ts'
import { payOut } from './use-cases/withdrawals/pay-out.ts'
import { PAYOUT_INTENT } from './use-cases/withdrawals/payout-attempt.ts'

/** Longer than the longest of these calls: the provider is asked, sent to, and asked again, with 10 s per request. */
export const CALL_LEASE_SECONDS = 90

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context): Record<string, IntentCall> {
  return { [PAYOUT_INTENT]: (intent) => payOut(ctx(), intent) }
}
