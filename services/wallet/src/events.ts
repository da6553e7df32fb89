import { randomUUID } from 'node:crypto'
import { HookJudgement } from '@svc/contracts/ingestion/v1/hook'
import { BillingFact } from '@svc/contracts/wallet/v1/billing_service'
import { TopupFact } from '@svc/contracts/wallet/v1/topup_service'
import { CommissionFact } from '@svc/contracts/wallet/v1/wallet'
import type { Caller } from '@svc/grpc'
import { auditOf, type Fact } from '@svc/outbox'
import type { OperationFact } from './db/post-operation.ts'
import type { BillingStanding } from './domain/billing-standing.ts'
import type { CommissionSettings } from './domain/commission.ts'
import type { FinalJudgement } from './domain/judgement.ts'
import type { ReceivedHook } from './domain/payment-hook.ts'
import type { Topup } from './domain/topup.ts'

interface Commission {
  opKey: string
  orderId: string
  merchantId: string
  riderId?: string
}

type CommissionFactType = 'wallet.commission_settled' | 'wallet.commission_held' | 'wallet.commission_returned'

/** What became of a commission. */
export function commissionFact(type: CommissionFactType, commission: Commission): OperationFact {
  return { id: randomUUID(), type, payload: commissionPayload(commission) }
}

export function commissionPayload({ opKey, orderId, merchantId, riderId }: Commission): Buffer {
  const fact: CommissionFact = { op_key: opKey, order_id: orderId, merchant_id: merchantId, rider_id: riderId }
  return Buffer.from(CommissionFact.encode(fact).finish())
}

/** A payment was confirmed, and the merchant has it. */
export function topupCreditedFact({ reference, merchantId, amountMinor, currency }: Topup): OperationFact {
  const fact: TopupFact = { reference, merchant_id: merchantId, amount_minor: amountMinor, currency }
  return { id: randomUUID(), type: 'wallet.topup_credited', payload: Buffer.from(TopupFact.encode(fact).finish()) }
}

/** What became of a hook, each time it is handed to us. */
export function hookJudgedFact({ hookId, version, merchantId }: ReceivedHook, judgement: FinalJudgement): Fact {
  const reason = 'reason' in judgement ? judgement.reason : undefined
  const found = judgement.outcome === 'refused' ? judgement.merchantId : undefined
  const fact: HookJudgement = { hook_id: hookId, outcome: judgement.outcome, reason }
  return {
    type: 'wallet.hook_judged',
    aggregateType: 'hook',
    aggregateId: hookId,
    aggregateVersion: version,
    merchantId: found ?? merchantId,
    isTest: false,
    payload: Buffer.from(HookJudgement.encode(fact).finish()),
  }
}

/** Where a merchant's subscriptions stand now; its versions are the merchant's own here. */
export function billingStatusFact(
  merchantId: string,
  { billingStatus, periodEnd }: BillingStanding,
  version: number,
  reason: string,
): Fact {
  const fact: BillingFact = {
    merchant_id: merchantId,
    billing_status: billingStatus,
    billing_period_end: periodEnd?.toISOString(),
    reason,
  }
  return {
    type: 'billing.status_changed',
    aggregateType: 'billing',
    aggregateId: merchantId,
    aggregateVersion: version,
    merchantId,
    isTest: false,
    payload: Buffer.from(BillingFact.encode(fact).finish()),
  }
}

/** The audit row of a change of commission settings. */
export function commissionSettingsAudit(
  caller: Caller,
  merchantId: string,
  before: CommissionSettings,
  after: CommissionSettings,
): Fact {
  return auditOf(caller, {
    action: 'merchant.commission_put',
    resourceType: 'merchant',
    resourceId: merchantId,
    merchantId,
    before,
    after,
  })
}
