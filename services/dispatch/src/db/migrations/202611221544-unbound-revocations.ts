import { SqlMigration } from '@svc/database'

/**
 * A table with a reference to riders is dropped under a lock on riders too. That comes by itself, and first: taken after the
 * lock on intents, it would cross those who change a rider and open an intent.
 */
export class UnboundRevocations extends SqlMigration {
  up() {
    this.addSql(`
DO $$ BEGIN
  IF to_regclass('token_revocations') IS NOT NULL THEN
    LOCK TABLE riders IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE token_revocations DROP CONSTRAINT IF EXISTS token_revocations_rider_id_fkey;
  END IF;
END $$`)
  }
}
