import { randomUUID } from 'node:crypto'
import { encodeFact, type FactName, type PayloadOf } from '@svc/contracts/facts'
import type { Caller } from '@svc/grpc'
import { auditOf, type Fact } from '@svc/transact'
import type { PayoutInstrumentRow } from './db/payout-instruments.ts'
import type { OperationFact } from './db/post-operation.ts'
import type { BillingStanding } from './domain/billing-standing.ts'
import type { CashAccount, Remittance } from './domain/cash.ts'
import type { CashAdjustment } from './domain/cash-adjustment.ts'
import type { CommissionSettings } from './domain/commission.ts'
import type { FinalJudgement } from './domain/judgement.ts'
import type { Owner } from './domain/operation.ts'
import type { ReceivedHook } from './domain/payment-hook.ts'
import type { Topup } from './domain/topup.ts'
import type { Withdrawal, WithdrawalStatus } from './domain/withdrawal.ts'
import { cashAccountMessage } from './messages/cash.ts'
import { withdrawalMessage } from './messages/payout.ts'

interface Commission {
  opKey: string
  orderId: string
  merchantId: string
  riderId?: string
}

/** The rider was paid from escrow. */
export const commissionSettledFact = (commission: Commission): OperationFact =>
  operationFact('wallet.commission_settled', commissionPayload(commission))

/** What lay in escrow went back to its payer. */
export const commissionReturnedFact = (commission: Commission): OperationFact =>
  operationFact('wallet.commission_returned', commissionPayload(commission))

/**
 * The bytes of the fact of a settlement. settle_commissions() names it by what it did: wallet.commission_settled where the
 * rider was paid, wallet.commission_held where the commission went into escrow.
 */
export const settlementPayload = (commission: Commission): Buffer =>
  encodeFact('wallet.commission_held', commissionPayload(commission))

const commissionPayload = ({ opKey, orderId, merchantId, riderId }: Commission) => ({
  op_key: opKey,
  order_id: orderId,
  merchant_id: merchantId,
  rider_id: riderId,
})

/** A payment was confirmed, and the merchant has it. */
export function topupCreditedFact({ reference, merchantId, amountMinor, currency }: Topup): OperationFact {
  const payload = { reference, merchant_id: merchantId, amount_minor: amountMinor, currency }
  return operationFact('wallet.topup_credited', payload)
}

const operationFact = <N extends FactName>(type: N, payload: PayloadOf<N>): OperationFact => ({
  id: randomUUID(),
  type,
  payload: encodeFact(type, payload),
})

/** What a rider has in hand of a merchant's cash has changed. */
export const cashChangedFact = (
  account: CashAccount,
  { orderId, remittanceId }: { orderId?: string | undefined; remittanceId?: string | undefined },
): Fact<'wallet.cash_changed'> => ({
  type: 'wallet.cash_changed',
  aggregateId: account.id,
  aggregateVersion: account.version,
  merchantId: account.merchantId,
  isTest: account.isTest,
  payload: { account: cashAccountMessage(account), order_id: orderId, remittance_id: remittanceId },
})

const WITHDRAWAL_FACTS = {
  pending_review: 'withdrawal.requested',
  approved: 'withdrawal.approved',
  processing: 'withdrawal.processing',
  paid: 'withdrawal.paid',
  failed: 'withdrawal.failed',
  rejected: 'withdrawal.rejected',
  cancelled: 'withdrawal.cancelled',
} as const satisfies Record<WithdrawalStatus, FactName>

/** A withdrawal has entered its status. What riders take out belongs to no merchant. */
export function withdrawalFact(withdrawal: Withdrawal): Fact<(typeof WITHDRAWAL_FACTS)[WithdrawalStatus]> {
  return {
    type: WITHDRAWAL_FACTS[withdrawal.status],
    aggregateId: withdrawal.id,
    aggregateVersion: withdrawal.version,
    merchantId: merchantOf(withdrawal),
    isTest: false,
    payload: { withdrawal: withdrawalMessage(withdrawal) },
  }
}

const merchantOf = ({ ownerKind, ownerId }: Withdrawal) => (ownerKind === 'merchant' ? ownerId : null)

/** What became of a hook, each time it is handed to us. */
export function hookJudgedFact(
  { hookId, version, merchantId }: ReceivedHook,
  judgement: FinalJudgement,
): Fact<'wallet.hook_judged'> {
  const reason = 'reason' in judgement ? judgement.reason : undefined
  const found = judgement.outcome === 'refused' ? judgement.merchantId : undefined
  return {
    type: 'wallet.hook_judged',
    aggregateId: hookId,
    aggregateVersion: version,
    merchantId: found ?? merchantId,
    isTest: false,
    payload: { hook_id: hookId, outcome: judgement.outcome, reason },
  }
}

/** A rider is paid elsewhere than before. Each change is an aggregate of its own: the instrument has no versions. */
export const payoutInstrumentChangedFact = (
  owner: Owner,
  { id, account_last4 }: PayoutInstrumentRow,
): Fact<'payout_instrument.changed'> => ({
  type: 'payout_instrument.changed',
  aggregateId: randomUUID(),
  aggregateVersion: 1,
  merchantId: null,
  isTest: false,
  payload: { owner_type: owner.kind, owner_id: owner.id, payout_instrument_id: id, account_last4 },
})

/** Where a merchant's subscriptions stand now; its versions are the merchant's own here. */
export function billingStatusFact(
  merchantId: string,
  { billingStatus, periodEnd }: BillingStanding,
  version: number,
  reason: string,
): Fact<'billing.status_changed'> {
  return {
    type: 'billing.status_changed',
    aggregateId: merchantId,
    aggregateVersion: version,
    merchantId,
    isTest: false,
    payload: {
      merchant_id: merchantId,
      billing_status: billingStatus,
      billing_period_end: periodEnd?.toISOString(),
      reason,
    },
  }
}

/** The audit row of a change of commission settings. */
export function commissionSettingsAudit(
  caller: Caller,
  merchantId: string,
  before: CommissionSettings,
  after: CommissionSettings,
) {
  return auditOf(caller, {
    action: 'merchant.commission_put',
    resourceType: 'merchant',
    resourceId: merchantId,
    merchantId,
    isTest: false,
    before,
    after,
  })
}

/** The audit row of what its owner or an operator did to a withdrawal; one that is new was nothing before. */
export function withdrawalAudit(by: Caller, action: string, before: Withdrawal | undefined, after: Withdrawal) {
  return auditOf(by, {
    action,
    resourceType: 'withdrawal',
    resourceId: after.id,
    merchantId: merchantOf(after),
    isTest: false,
    before: before && audited(before),
    after: audited(after),
  })
}

const audited = ({ status, amountMinor, attempt, approvals, failureReason }: Withdrawal) => ({
  status,
  amount_minor: amountMinor,
  attempt,
  approvals,
  failure_reason: failureReason,
})

/** The audit row of what was said about a hand-over of cash. */
export const remittanceAudit = (
  by: Caller,
  action: `cash_remittance.${'declare' | 'confirm' | 'dispute' | 'resolve' | 'withdraw'}`,
  { id, merchantId, isTest, ...now }: Remittance,
) =>
  auditOf(by, {
    action,
    resourceType: 'cash_remittance',
    resourceId: id,
    merchantId,
    isTest,
    after: {
      rider_id: now.riderId,
      status: now.status,
      currency: now.currency,
      declared_minor: now.declaredMinor,
      received_minor: now.receivedMinor,
      reason: now.reason,
      proposed_minor: now.proposedMinor,
    },
  })

/** The audit row of what an operator changed of cash in a rider's hands, or wants to. */
export const adjustmentAudit = (
  by: Caller,
  action: 'cash_adjustment.create' | 'cash_adjustment.approve' | 'cash_adjustment.reject',
  { id, merchantId, ...now }: CashAdjustment,
) =>
  auditOf(by, {
    action,
    resourceType: 'cash_adjustment',
    resourceId: id,
    merchantId,
    isTest: false,
    after: {
      rider_id: now.riderId,
      status: now.status,
      currency: now.currency,
      amount_minor: now.amountMinor,
      reason: now.reason,
      proposed_by: now.proposedBy,
    },
  })

/** The audit row of a change of payout instruments. */
export function payoutInstrumentAudit(
  caller: Caller,
  action: 'payout_instrument.create' | 'payout_instrument.default',
  owner: Owner,
  { id, bank_code, account_last4, is_default, frozen_until }: PayoutInstrumentRow,
) {
  return auditOf(caller, {
    action,
    resourceType: 'payout_instrument',
    resourceId: id,
    merchantId: owner.kind === 'merchant' ? owner.id : null,
    isTest: false,
    after: { owner_type: owner.kind, owner_id: owner.id, bank_code, account_last4, is_default, frozen_until },
  })
}
