import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'

const OLDEST = `
SELECT coalesce(max(extract(epoch FROM app_now() - reviewed_at)), 0)::float8 AS seconds
  FROM withdrawals WHERE status IN ('approved', 'processing')`

/** Shows for how long the oldest payout has been on its way since an operator last let it go out. */
export function payoutAge({ database }: Pick<Context, 'database'>): Part {
  let stop = (): void => {}
  return {
    name: 'payout age',
    async start() {
      stop = metrics.gauge('payout_oldest_seconds', 'Age of the oldest payout that has not ended', async () => {
        const { rows } = await database.worker.query<{ seconds: number }>(OLDEST)
        return rows[0]?.seconds ?? 0
      })
    },
    async stop() {
      stop()
    },
  }
}
