import { IndexMigration } from '@svc/database'

/** What is due of live orders and of sandboxes: neither is found behind the other. */
export class DueByEnvironment extends IndexMigration {
  protected readonly indexes = [
    { name: 'dispatch_jobs_due_by_environment', on: 'dispatch_jobs (is_test, next_at) WHERE next_at IS NOT NULL' },
  ]
  protected override readonly replaced = ['dispatch_jobs_due']
}
