import type { IntentCall } from '@svc/outbox'
import type { Context } from '../context.ts'
import { payOut } from '../use-cases/withdrawals/pay-out.ts'
import { PAYOUT_INTENT } from '../use-cases/withdrawals/payout-attempt.ts'

/**
 * What a killed process left is taken up within half a minute. A call to a slow provider may last longer than that; then
 * two are at it, and the stamps of what was sent keep them apart.
 */
export const CALL_LEASE_SECONDS = 25

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context): Record<string, IntentCall> {
  return { [PAYOUT_INTENT]: (intent) => payOut(ctx(), intent) }
}
