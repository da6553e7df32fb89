import { randomUUID } from 'node:crypto'
import { CommissionFact } from '@svc/contracts/wallet/v1/wallet'
import type { Caller } from '@svc/grpc'
import { auditFact, type Fact } from '@svc/outbox'
import type { OperationFact } from './db/post-operation.ts'
import type { CommissionSettings } from './domain/commission.ts'

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

/** The audit row of a change of commission settings. */
export function commissionSettingsAudit(
  caller: Caller,
  merchantId: string,
  before: CommissionSettings,
  after: CommissionSettings,
): Fact {
  return auditFact({
    actor_type: caller.actor.type,
    actor_id: caller.actor.id,
    on_behalf_of: caller.actingFor,
    merchant_id: merchantId,
    action: 'merchant.commission_put',
    resource_type: 'merchant',
    resource_id: merchantId,
    ip: caller.ip,
    request_id: caller.requestId,
    before_json: JSON.stringify(before),
    after_json: JSON.stringify(after),
    isTest: false,
  })
}
