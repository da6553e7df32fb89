import { SqlMigration } from '@svc/database'

/** Tokens that are to end are intents like every other call: what was under way goes on as one. */
export class RevocationsAreIntents extends SqlMigration {
  up() {
    // Behind the tenant wall the owner of the tables sees no row and writes none, but for what policies let through; that of
    // intents was made by the migration before.
    this.addSql(`
LOCK TABLE token_revocations IN SHARE ROW EXCLUSIVE MODE;
CREATE POLICY moved_out ON token_revocations FOR SELECT TO CURRENT_USER USING (true);
INSERT INTO intent (id, kind, subject_id, attempt, payload, state)
SELECT gen_random_uuid(), 'revoke_tokens', rider_id, 1, '{}', 'pending' FROM token_revocations;
DROP POLICY moved_in ON intent;
DROP TABLE token_revocations;
`)
  }
}
