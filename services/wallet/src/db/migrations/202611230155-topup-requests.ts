import { SqlMigration } from '@svc/database'

/** Of which request the key of a top-up is: also who acted for whom. */
export class TopupRequests extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE topup_intents ADD COLUMN request_hash bytea')
  }
}
