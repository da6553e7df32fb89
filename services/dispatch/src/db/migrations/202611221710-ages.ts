import { IndexMigration } from '@svc/database'

/** By which what is past its time is found, however much is younger. */
export class Ages extends IndexMigration {
  protected readonly indexes = [
    { name: 'dispatch_jobs_of_sandbox', on: 'dispatch_jobs (order_created_at) WHERE is_test' },
    { name: 'completed_legs_age', on: 'completed_legs (completed_at)' },
    { name: 'pod_photos_age', on: 'pod_photos (created_at)' },
    { name: 'invite_codes_age', on: 'invite_codes (expires_at)' },
    { name: 'quotes_age', on: 'quotes (expires_at)' },
  ]
}
