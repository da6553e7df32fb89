import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { INSTRUMENT_MAIL, mailChange } from '../use-cases/payout-instruments/mail-change.ts'
import { PAYOUT_INTENT, payOut } from '../use-cases/withdrawals/transfer.ts'

/**
 * What a killed process left is taken up within half a minute. A call to a slow provider may last longer than that; then
 * two are at it, and the stamps of what was sent keep them apart.
 */
export const CALL_LEASE_SECONDS = 25

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context, hasMail: boolean): Record<string, IntentCall> {
  return {
    [PAYOUT_INTENT]: (intent) => payOut(ctx(), intent),
    // What nothing can send stays as it is.
    ...(hasMail && { [INSTRUMENT_MAIL]: (intent) => mailChange(ctx(), intent) }),
  }
}
