import type { Actor } from '../acts/act.ts'
import type { Order } from '../domain/order.ts'

type State = Record<string, unknown>

/** What the audit log keeps of a privileged act on an order: who, on whose behalf, and what it changed. */
export const auditedBy = (
  { actor, actingFor, ip, requestId }: Actor,
  order: Order,
  action: string,
  before: State,
  after: State,
) => ({
  actor_type: actor.type,
  actor_id: actor.id,
  on_behalf_of: actingFor,
  merchant_id: order.merchantId,
  action,
  resource_type: 'order',
  resource_id: order.id,
  ip,
  request_id: requestId,
  before_json: JSON.stringify(before),
  after_json: JSON.stringify(after),
  isTest: order.isTest,
})
