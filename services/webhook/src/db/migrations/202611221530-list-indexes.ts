import { IndexMigration } from '@svc/database'

/**
 * A page costs the same for an old merchant as for a new one, whatever it is filtered by. Ascending, and read backwards: new
 * rows come last, where pages fill up.
 */
export class ListIndexes extends IndexMigration {
  protected readonly indexes = [
    { name: 'event_log_of_environment', on: 'event_log (merchant_id, is_test, cursor)' },
    { name: 'delivery_of_environment', on: 'delivery (merchant_id, is_test, created_at, id)' },
    { name: 'delivery_of_status', on: 'delivery (merchant_id, status, created_at) INCLUDE (is_test)' },
    { name: 'delivery_of_event', on: 'delivery (merchant_id, event, created_at) INCLUDE (is_test)' },
    { name: 'delivery_pending_age', on: "delivery (created_at) WHERE status = 'pending'" },
  ]
}
