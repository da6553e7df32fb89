import { IndexMigration } from '@svc/database'

/**
 * By what operators look for jobs of one merchant in one state, and for its open dead letters: each was found among all of
 * the merchant's, or among those of all merchants.
 */
export class ListsOfMerchant extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'normalization_jobs_of_merchant_status',
      on: 'normalization_jobs (merchant_id, status, created_at DESC, id DESC)',
    },
    {
      name: 'dead_letters_open_of_merchant',
      on: `inbound_hooks (merchant_id, dead_at DESC, id DESC) WHERE state IN ('dead', 'retrying')`,
    },
  ]
}
