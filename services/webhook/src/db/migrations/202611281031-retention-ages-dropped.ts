import { IndexMigration } from '@svc/database'

/** Of the first migration, and read by no statement since the indexes that a sweep, or an end by age, finds its rows by. */
export class RetentionAgesDropped extends IndexMigration {
  protected readonly indexes = []
  protected override readonly replaced = ['order_stream_age', 'event_log_age', 'delivery_age']
}
