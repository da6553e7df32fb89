import type { Withdrawal } from '@svc/contracts/wallet/v1/payout'
import type { TopupFact } from '@svc/contracts/wallet/v1/topup_service'
import type { EnvelopeFacts } from './envelope.ts'

/** The JSON of an event of live money as the pull log serves it, with what it is about under that thing's own name. */
export function moneyEnvelopeJson(
  { event, eventId, occurredAt, sequence, merchantId }: EnvelopeFacts<unknown>,
  about: { topup: object } | { withdrawal: object },
): string {
  return JSON.stringify({
    event,
    event_id: eventId,
    occurred_at: occurredAt.toISOString(),
    api_version: 'v1',
    sequence,
    merchant_id: merchantId,
    is_test: false,
    ...about,
  })
}

/** A top-up as its merchant sees it. */
export const topupView = ({ reference, amount_minor, currency }: TopupFact) => ({ reference, amount_minor, currency })

/** A withdrawal as its owner sees it, spelt as the API answers it. */
export const withdrawalView = (withdrawal: Withdrawal) => ({
  id: withdrawal.id,
  owner_type: withdrawal.owner_type,
  owner_id: withdrawal.owner_id,
  amount_minor: withdrawal.amount_minor,
  currency: withdrawal.currency,
  status: withdrawal.status,
  payout_instrument_id: withdrawal.payout_instrument_id,
  account_last4: withdrawal.account_last4,
  bank_code: withdrawal.bank_code,
  failure_reason: withdrawal.failure_reason ?? null,
  reviewed_by: withdrawal.reviewed_by ?? null,
  reviewed_at: withdrawal.reviewed_at ?? null,
  paid_at: withdrawal.paid_at ?? null,
  provider_reference: withdrawal.provider_reference ?? null,
  created_at: withdrawal.created_at,
})
