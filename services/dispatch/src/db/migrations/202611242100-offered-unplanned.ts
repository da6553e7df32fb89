import { IndexMigration } from '@svc/database'

/** Orders that were offered and of which it is not known yet what a rider would earn, by their age. */
export class OfferedUnplanned extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'dispatch_jobs_offered_unplanned',
      on: `dispatch_jobs (order_created_at, order_id)
        WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted') AND round > 0`,
    },
  ]
  protected override readonly replaced = ['dispatch_jobs_oldest_unplanned']
}
