import { IndexMigration } from '@svc/database'

/** By which what a merchant contests is counted. */
export class DisputesOfMerchant extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'contact_inquiries_disputes',
      on: 'contact_inquiries (merchant_id, ledger_transaction_id) WHERE ledger_transaction_id IS NOT NULL',
    },
  ]
}
