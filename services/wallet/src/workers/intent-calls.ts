import type { IntentCall } from '@svc/intents'
import type { Context } from '../context.ts'
import { INSTRUMENT_MAIL, mailChange } from '../use-cases/payout-instruments/mail-change.ts'
import { PAYOUT_INTENT, payOut } from '../use-cases/withdrawals/transfer.ts'

/** The calls of this service that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context, hasMail: boolean): Record<string, IntentCall> {
  return {
    [PAYOUT_INTENT]: (intent) => payOut(ctx(), intent),
    // What nothing can send stays as it is.
    ...(hasMail && { [INSTRUMENT_MAIL]: (intent) => mailChange(ctx(), intent) }),
  }
}
