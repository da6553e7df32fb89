import type { PayoutInstrumentRow } from '../db/payout-instruments.ts'
import type { Owner } from '../domain/operation.ts'
import type { Withdrawal } from '../domain/withdrawal.ts'

// What the log tells operators: its fields and its words.
type Alert = readonly [fields: { alert: string; [field: string]: unknown }, words: string]

/** A transfer as the provider tells of it, asked or by a hook. */
export interface SeenTransfer {
  /** Absent: the latest attempt's. */
  reference?: string | null
  status: string
  amountMinor: number | null
  currency: string | null
}

type PayoutAlert =
  /** The provider has another amount under our reference. */
  | 'payout_amount_differs'
  /** An attempt ended otherwise here than there. */
  | 'payout_contradicted'
  /** The provider waits for a code that will not be entered: it was not sent. */
  | 'payout_waits_for_code'

/** A payout needs a look. */
export function payoutAlert(alert: PayoutAlert, withdrawal: Withdrawal, seen: SeenTransfer): Alert {
  const { id, providerReference: reference, status, amountMinor: amount_minor, currency } = withdrawal
  return [{ alert, withdrawal: id, reference, status, amount_minor, currency, seen }, 'a payout needs a look']
}

/** A rider will be paid elsewhere than before. */
export const instrumentAlert = (action: string, owner: Owner, { id, frozen_until }: PayoutInstrumentRow): Alert => [
  { alert: 'payout_instrument_changed', action, rider: owner.id, instrument: id, frozen_until },
  'a rider will be paid elsewhere',
]
