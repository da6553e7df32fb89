import { SqlMigration } from '@svc/database'

const sql = `
DROP INDEX withdrawals_to_verify;
CREATE INDEX withdrawals_to_verify ON withdrawals (verify_at) WHERE status IN ('processing', 'paid');
COMMENT ON COLUMN withdrawals.reviewed_by IS 'Which operator let it go out last, or rejected it.';
COMMENT ON COLUMN withdrawals.submitted_at IS
  'When the latest attempt was sent last, sendings that the provider refused apart; also tells one sending from another.';
`

/** Withdrawals that were paid are verified for some time as well. */
export class PaidWatch extends SqlMigration {
  override up(): void {
    this.addSql(sql)
  }
}
