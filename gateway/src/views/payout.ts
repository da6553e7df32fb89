import type { PayoutInstrument, Withdrawal } from '@svc/contracts/wallet/v1/payout'
import { orNull } from './or-null.ts'

export const payoutInstrumentView = (instrument: PayoutInstrument): Record<string, unknown> => ({
  id: instrument.id,
  bank_code: instrument.bank_code,
  bank_name: orNull(instrument.bank_name),
  account_name: orNull(instrument.account_name),
  account_last4: instrument.account_last4,
  is_default: instrument.is_default,
  frozen_until: orNull(instrument.frozen_until),
  created_at: instrument.created_at,
})

/** A withdrawal as its owner sees it. */
export const withdrawalView = (withdrawal: Withdrawal): Record<string, unknown> => ({
  id: withdrawal.id,
  owner_type: withdrawal.owner_type,
  owner_id: withdrawal.owner_id,
  amount_minor: withdrawal.amount_minor,
  currency: withdrawal.currency,
  status: withdrawal.status,
  payout_instrument_id: withdrawal.payout_instrument_id,
  account_last4: withdrawal.account_last4,
  bank_code: withdrawal.bank_code,
  failure_reason: orNull(withdrawal.failure_reason),
  reviewed_by: orNull(withdrawal.reviewed_by),
  reviewed_at: orNull(withdrawal.reviewed_at),
  paid_at: orNull(withdrawal.paid_at),
  provider_reference: orNull(withdrawal.provider_reference),
  created_at: withdrawal.created_at,
})

/** The same as operators see it. */
export const adminWithdrawalView = (withdrawal: Withdrawal): Record<string, unknown> => ({
  ...withdrawalView(withdrawal),
  approvals: withdrawal.approvals,
})
