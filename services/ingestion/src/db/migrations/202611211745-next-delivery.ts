import { SqlMigration } from '@svc/database'

const nextDeliverySql = `
ALTER TABLE inbound_hooks
  ADD next_path_merchant_id uuid,
  ADD next_headers jsonb,
  ADD next_body bytea,
  ADD CHECK ((next_headers IS NULL) = (next_body IS NULL));
COMMENT ON COLUMN inbound_hooks.next_body IS
  'The newest delivery that differed from this one while nobody had judged it: handed on if this one is refused.';
CREATE INDEX dead_letters_of_merchant ON inbound_hooks (merchant_id, dead_at DESC, id DESC) WHERE dead_at IS NOT NULL;
`

/** What came by another address while the first delivery was unjudged is not lost. */
export class NextDelivery extends SqlMigration {
  override up(): void {
    this.addSql(nextDeliverySql)
  }
}
