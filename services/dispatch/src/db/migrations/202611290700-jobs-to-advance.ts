import { IndexMigration } from '@svc/database'

/** The open orders of a sandbox, by the last advance that each has met: those that one concerns are found by it. */
export class JobsToAdvance extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'dispatch_jobs_to_advance',
      on: `dispatch_jobs (merchant_id, advanced_version) WHERE is_test AND search <> 'closed'`,
    },
  ]
}
