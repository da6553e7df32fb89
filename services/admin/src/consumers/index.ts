import { onAuditRecorded } from './on-audit-recorded.ts'
import { onBillingStatus } from './on-billing-status.ts'

/** All that this service consumes. */
export const consumers = [onAuditRecorded, onBillingStatus]
