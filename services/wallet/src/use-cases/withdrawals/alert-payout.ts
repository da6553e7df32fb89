import type { Context } from '../../context.ts'
import type { WithdrawalRow } from '../../db/withdrawals.ts'

/** A transfer as the provider tells of it, asked or by a hook. */
export interface SeenTransfer {
  /** Absent: the latest attempt's. */
  reference?: string | null
  status: string
  amountMinor: number | null
  currency: string | null
}

type Alert =
  /** The provider has another amount under our reference. */
  | 'payout_amount_differs'
  /** An attempt ended otherwise here than there. */
  | 'payout_contradicted'
  /** The provider waits for a code that nobody will enter: it was not sent. */
  | 'payout_waits_for_code'

/** Tells operators that a payout needs a look. */
export function alertPayout(
  { logger }: Pick<Context, 'logger'>,
  alert: Alert,
  withdrawal: WithdrawalRow,
  seen: SeenTransfer,
): void {
  const { id, provider_reference: reference, status, amount_minor, currency } = withdrawal
  logger.error({ alert, withdrawal: id, reference, status, amount_minor, currency, seen }, 'a payout needs a look')
}
