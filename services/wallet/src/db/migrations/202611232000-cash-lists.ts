import { IndexMigration } from '@svc/database'

/** By which operators list cash of all merchants, however much there is. */
export class CashLists extends IndexMigration {
  protected override readonly indexes = [
    { name: 'cash_remittances_newest', on: 'cash_remittances (created_at DESC, id DESC)' },
    { name: 'cash_accounts_largest', on: 'cash_accounts (is_test, in_hand_minor DESC, id)' },
  ]
}
