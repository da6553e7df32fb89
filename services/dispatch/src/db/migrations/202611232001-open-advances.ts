import { IndexMigration } from '@svc/database'

/** Advances that are under way, and the orders of a sandbox that they concern. */
export class OpenAdvances extends IndexMigration {
  protected readonly indexes = [
    { name: 'sandbox_advances_open', on: 'sandbox_advances (merchant_id, version) WHERE NOT is_carried_out' },
    {
      name: 'dispatch_jobs_of_sandbox',
      on: `dispatch_jobs (merchant_id, advanced_version) WHERE is_test AND search <> 'closed'`,
    },
  ]
}
