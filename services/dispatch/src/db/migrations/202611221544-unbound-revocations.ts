import { SqlMigration } from '@svc/database'

/**
 * What moving revocations to intents needs locks on riders and intents for comes by itself, and first: a table with a
 * reference to riders is dropped under a lock on riders, which would cross those who change a rider and open an intent, and
 * a policy is made under a lock on intents, which all would wait for while rows are moved.
 */
export class UnboundRevocations extends SqlMigration {
  up() {
    this.addSql(`
DO $$ BEGIN
  IF to_regclass('token_revocations') IS NOT NULL THEN
    LOCK TABLE riders IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE token_revocations DROP CONSTRAINT IF EXISTS token_revocations_rider_id_fkey;
    DROP POLICY IF EXISTS moved_in ON intent;
    CREATE POLICY moved_in ON intent FOR INSERT TO CURRENT_USER WITH CHECK (kind = 'revoke_tokens');
  END IF;
END $$`)
  }
}
