import { IndexMigration } from '@svc/database'

/** Merchants take turns, each with its oldest job. */
export class JobTurns extends IndexMigration {
  protected override readonly indexes = [
    { name: 'normalization_jobs_turns', on: "normalization_jobs (merchant_id, next_at) WHERE status = 'pending'" },
  ] as const
}
