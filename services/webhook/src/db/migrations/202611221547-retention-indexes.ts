import { IndexMigration } from '@svc/database'

/** By which the oldest rows are found that the retention removes. */
export class RetentionIndexes extends IndexMigration {
  protected readonly indexes = [
    { name: 'delivery_expiry', on: `delivery (created_at) WHERE status <> 'pending'` },
    { name: 'event_log_expiry', on: 'event_log (occurred_at)' },
    { name: 'order_stream_expiry', on: 'order_stream (updated_at)' },
  ]
}
