import { IndexMigration } from '@svc/database'

/** What was told of an order last is found among any number of hooks of it. */
export class ToldBefore extends IndexMigration {
  protected override readonly indexes = [
    {
      name: 'normalization_jobs_told',
      on: `normalization_jobs (merchant_id, channel, external_order_id, told_at DESC)
           WHERE status IN ('succeeded', 'ignored') AND outcome IS NOT NULL AND told_at IS NOT NULL`,
    },
    {
      name: 'normalization_jobs_told_cancelled',
      on: `normalization_jobs (merchant_id, channel, external_order_id, told_at DESC)
           WHERE status IN ('succeeded', 'ignored') AND outcome = 'cancel' AND told_at IS NOT NULL`,
    },
  ] as const
}
