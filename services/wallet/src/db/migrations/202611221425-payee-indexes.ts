import { IndexMigration } from '@svc/database'

/** What one payee was paid of late is found without reading what it was paid before. */
export class PayeeIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'payout_instruments_of_account', on: 'payout_instruments (recipient_code)' },
    {
      name: 'withdrawals_let_out',
      on: "withdrawals (owner_kind, owner_id, reviewed_at) WHERE status IN ('approved', 'processing', 'paid')",
    },
  ]
}
