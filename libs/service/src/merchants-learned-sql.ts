import { recorderTableSql, SqlMigration } from '@svc/database'

/** For a service with `takesMerchant`: how far it has learned of the merchants that there are. */
export const merchantsLearned = (service: string) =>
  class MerchantsLearned extends SqlMigration {
    up(): void {
      this.addSql(`
        CREATE TABLE merchants_learned (
          only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
          after uuid,
          done_at timestamptz);
        INSERT INTO merchants_learned DEFAULT VALUES;
        ${recorderTableSql({ service, table: 'merchants_learned', workerGrants: 'SELECT, UPDATE' })}`)
    }
  }
