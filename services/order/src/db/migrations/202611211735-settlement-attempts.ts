import { SqlMigration } from '@svc/database'
import { intentDueSql } from '@svc/outbox'

// Row security holds for the owner of the tables too, and shows it nothing.
const settlementAttemptsSql = `
ALTER TABLE orders ADD COLUMN settlement_attempts int NOT NULL DEFAULT 0;
COMMENT ON COLUMN orders.settlement_attempts IS
  'Settlements begun so far; their intents are deleted, but the wallet keeps their keys for ever.';
ALTER TABLE orders NO FORCE ROW LEVEL SECURITY;
ALTER TABLE intent NO FORCE ROW LEVEL SECURITY;
UPDATE orders SET settlement_attempts = commission_attempt WHERE commission_attempt IS NOT NULL;
UPDATE orders o SET settlement_attempts = greatest(o.settlement_attempts, i.attempts)
  FROM (SELECT subject_id, max(attempt) AS attempts FROM intent WHERE kind = 'commission' GROUP BY subject_id) i
 WHERE o.id = i.subject_id;
ALTER TABLE intent FORCE ROW LEVEL SECURITY;
ALTER TABLE orders FORCE ROW LEVEL SECURITY;
`

/** No settlement is ever numbered like an earlier one; what is due of intents is found at once among any number. */
export class SettlementAttempts extends SqlMigration {
  override up(): void {
    this.addSql(settlementAttemptsSql)
    this.addSql(intentDueSql)
  }
}
