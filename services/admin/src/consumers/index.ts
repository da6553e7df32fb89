import { onAuditRecorded } from './on-audit-recorded.ts'
import { onBillingStatus } from './on-billing-status.ts'

/** Topics on which services announce their privileged acts. */
export const AUDITED_TOPICS = [
  'svc.admin.v1',
  'svc.order.v1',
  'svc.webhook.v1',
  'svc.dispatch.v1',
  'svc.wallet.v1',
  'svc.ingestion.v1',
]

/** All that this service consumes. */
export const consumers = [...AUDITED_TOPICS.map(onAuditRecorded), onBillingStatus]
