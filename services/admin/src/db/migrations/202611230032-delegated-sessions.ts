import { SqlMigration } from '@svc/database'

/** For which merchant a family acts, and by the grant of which epoch; null where for its own. */
export class DelegatedSessions extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE sessions ADD COLUMN grantor_merchant_id uuid, ADD COLUMN grant_epoch int')
  }
}
