import type { PayoutInstrument, Withdrawal } from '@svc/contracts/wallet/v1/payout'
import type { PayoutInstrumentRow } from '../db/payout-instruments.ts'
import type { WithdrawalRow } from '../db/withdrawals.ts'

/** row → message */
export function payoutInstrumentMessage(row: PayoutInstrumentRow): PayoutInstrument {
  return {
    id: row.id,
    bank_code: row.bank_code,
    bank_name: row.bank_name ?? undefined,
    account_name: row.account_name,
    account_last4: row.account_last4,
    is_default: row.is_default,
    frozen_until: row.frozen_until?.toISOString(),
    created_at: row.created_at.toISOString(),
  }
}

/** row → message */
export function withdrawalMessage(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    owner_type: row.owner_kind,
    owner_id: row.owner_id,
    amount_minor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    payout_instrument_id: row.payout_instrument_id,
    account_last4: row.account_last4,
    bank_code: row.bank_code,
    failure_reason: row.failure_reason ?? undefined,
    reviewed_by: row.reviewed_by ?? undefined,
    reviewed_at: row.reviewed_at?.toISOString(),
    paid_at: row.paid_at?.toISOString(),
    provider_reference: row.provider_reference ?? undefined,
    created_at: row.created_at.toISOString(),
    approvals: row.approvals,
  }
}
