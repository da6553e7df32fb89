import { IndexMigration } from '@svc/database'

/** Orders on offer of which it is not known yet what a rider would earn, by their age. */
export class OldestUnplanned extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'dispatch_jobs_oldest_unplanned',
      on: `dispatch_jobs (order_created_at, order_id) WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted')`,
    },
  ]
  protected override readonly replaced = ['dispatch_jobs_unplanned']
}
