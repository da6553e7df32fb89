import { SqlMigration } from '@svc/database'
import { intentDueSql } from '@svc/outbox'

/** What is due of intents is found at once among any number. */
export class DueIntents extends SqlMigration {
  override up(): void {
    this.addSql(intentDueSql)
  }
}
