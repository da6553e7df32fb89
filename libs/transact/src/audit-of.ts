import { randomUUID } from 'node:crypto'
import { trace } from '@opentelemetry/api'
import type { Fact } from './fact.ts'

/** Who acts, as far as the audit log keeps it. */
export interface Acting {
  actor: { type: string; id: string }
  actingFor?: string
  /** Of a rider's token that a merchant's key minted: that key, for which the rider counts as acting. */
  mintedBy?: { credential: string }
  merchantId?: string | null
  isTest?: boolean | null
  ip?: string
  requestId?: string
}

interface AuditedAct {
  /** `resource.verb` */
  action: string
  resourceType: string
  resourceId: string
  /** Absent: the merchant of the acting caller. Null: no merchant's. */
  merchantId?: string | null
  /** Absent: the environment of the acting caller, and of one without any the live one. */
  isTest?: boolean
  before?: object
  after?: object
}

/** `audit.recorded`: one privileged act, for admin's append-only log. Pass no secrets in before and after. */
export function auditOf(by: Acting | { caller: Acting }, act: AuditedAct): Fact<'audit.recorded'> {
  const caller = 'caller' in by ? by.caller : by
  const merchantId = act.merchantId === undefined ? caller.merchantId : act.merchantId
  return {
    type: 'audit.recorded',
    aggregateId: randomUUID(),
    aggregateVersion: 1,
    merchantId: merchantId ?? null,
    isTest: act.isTest ?? caller.isTest ?? false,
    payload: {
      actor_type: caller.actor.type,
      actor_id: caller.actor.id,
      on_behalf_of: caller.actingFor ?? caller.mintedBy?.credential,
      merchant_id: merchantId ?? undefined,
      action: act.action,
      resource_type: act.resourceType,
      resource_id: act.resourceId,
      ip: caller.ip,
      request_id: caller.requestId,
      trace_id: trace.getActiveSpan()?.spanContext().traceId,
      before_json: act.before && JSON.stringify(act.before),
      after_json: act.after && JSON.stringify(act.after),
    },
  }
}
