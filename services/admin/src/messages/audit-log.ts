import type { AuditLog } from '@svc/contracts/admin/v1/audit_service'
import type { LoggedEntry } from '../db/read-audit-log.ts'

/** An entry of the audit log as operators see it. */
export function auditLogMessage({ event_id: id, at, ...entry }: LoggedEntry): AuditLog {
  return {
    id,
    seq: entry.seq,
    at: at.toISOString(),
    actor_type: entry.actor_type,
    actor_id: entry.actor_id,
    on_behalf_of: entry.on_behalf_of ?? undefined,
    merchant_id: entry.merchant_id ?? undefined,
    action: entry.action,
    resource_type: entry.resource_type,
    resource_id: entry.resource_id,
    ip: entry.ip ?? undefined,
    request_id: entry.request_id ?? undefined,
    trace_id: entry.trace_id ?? undefined,
    before_json: entry.before_json ?? undefined,
    after_json: entry.after_json ?? undefined,
  }
}
