import { IndexMigration } from '@svc/database'

/**
 * By what operators look for entries of one merchant: among those of all it would be found behind whatever others have done
 * since, and among all of the merchant's behind whatever else it did.
 */
export class AuditLogOfMerchant extends IndexMigration {
  protected readonly indexes = [
    { name: 'audit_log_of_merchant_action', on: 'audit_log (merchant_id, action, seq DESC)' },
    { name: 'audit_log_of_merchant_resource_type', on: 'audit_log (merchant_id, resource_type, seq DESC)' },
    { name: 'audit_log_of_merchant_actor_type', on: 'audit_log (merchant_id, actor_type, seq DESC)' },
  ]
}
