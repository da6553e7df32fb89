import { auditFact } from './audit-fact.ts'
import type { Fact } from './fact.ts'

/** Who acts, as far as the audit log keeps it. */
interface Acting {
  actor: { type: string; id: string }
  actingFor?: string
  ip?: string
  requestId: string
}

export interface AuditedAct {
  /** `resource.verb` */
  action: string
  resourceType: string
  resourceId: string
  merchantId?: string | null
  /** Absent: of the live environment. */
  isTest?: boolean
  before?: object
  after?: object
}

/** The audit row of a privileged act of the caller's. Pass no secrets in before and after. */
export function auditOf({ actor, actingFor, ip, requestId }: Acting, act: AuditedAct): Fact {
  return auditFact({
    actor_type: actor.type,
    actor_id: actor.id,
    on_behalf_of: actingFor,
    merchant_id: act.merchantId ?? undefined,
    action: act.action,
    resource_type: act.resourceType,
    resource_id: act.resourceId,
    ip,
    request_id: requestId,
    before_json: act.before && JSON.stringify(act.before),
    after_json: act.after && JSON.stringify(act.after),
    isTest: act.isTest ?? false,
  })
}
