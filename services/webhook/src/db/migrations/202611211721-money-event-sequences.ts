import { SqlMigration } from '@svc/database'

/** No event that is about something else than an order is logged twice. Made while the log is written. */
export class MoneyEventSequences extends SqlMigration {
  override isTransactional() {
    return false
  }

  override up() {
    this.addSql(`
CREATE UNIQUE INDEX CONCURRENTLY event_log_subject ON event_log (merchant_id, subject_id, sequence)
 WHERE subject_id IS NOT NULL;`)
  }
}
