import type { PayoutInstrument, Withdrawal as WithdrawalMessage } from '@svc/contracts/wallet/v1/payout'
import type { PayoutInstrumentRow } from '../db/payout-instruments.ts'
import type { Withdrawal } from '../domain/withdrawal.ts'

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

/** withdrawal → message */
export function withdrawalMessage(row: Withdrawal): WithdrawalMessage {
  return {
    id: row.id,
    owner_type: row.ownerKind,
    owner_id: row.ownerId,
    amount_minor: row.amountMinor,
    currency: row.currency,
    status: row.status,
    payout_instrument_id: row.payoutInstrumentId,
    account_last4: row.accountLast4,
    bank_code: row.bankCode,
    failure_reason: row.failureReason ?? undefined,
    reviewed_by: row.reviewedBy ?? undefined,
    reviewed_at: row.reviewedAt?.toISOString(),
    paid_at: row.paidAt?.toISOString(),
    provider_reference: row.providerReference ?? undefined,
    created_at: row.createdAt.toISOString(),
    approvals: row.approvals,
  }
}
