import type { Caller } from '@svc/grpc'
import { auditFact, type Fact } from '@svc/outbox'

interface Act {
  /** `resource.verb` */
  action: string
  resourceType: string
  resourceId: string
  merchantId?: string | null
  before?: object
  after?: object
}

/** The audit row of a privileged act of the caller's, on live money. Pass no secrets in before and after. */
export function auditOf({ actor, actingFor, ip, requestId }: Caller, act: Act): Fact {
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
    isTest: false,
  })
}
