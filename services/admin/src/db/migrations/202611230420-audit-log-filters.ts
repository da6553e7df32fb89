import { IndexMigration } from '@svc/database'

/** By what operators look for entries of the audit log, newest first. */
export class AuditLogFilters extends IndexMigration {
  protected readonly indexes = [
    { name: 'audit_log_of_action', on: 'audit_log (action, seq DESC)' },
    { name: 'audit_log_of_resource_type', on: 'audit_log (resource_type, seq DESC)' },
    { name: 'audit_log_of_actor_type', on: 'audit_log (actor_type, seq DESC)' },
  ]
}
