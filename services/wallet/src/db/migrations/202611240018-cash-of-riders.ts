import { IndexMigration } from '@svc/database'

/** What became of one rider's cash is read without the lines of the merchant's other riders. */
export class CashOfRiders extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'ledger_lines_cash_of_account',
      on: `ledger_lines (account_id, created_at DESC, op_key DESC)
        WHERE entry_type IN ('cash_collected', 'cash_remitted', 'cash_adjusted') AND account_version IS NOT NULL`,
    },
  ]
}
