import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { oldestPayoutSeconds } from '../db/withdrawals.ts'

/** Shows for how long the oldest payout has been on its way since an operator last let it go out. */
export function payoutAge({ database }: Pick<Context, 'database'>): Part {
  let stop = (): void => {}
  return {
    name: 'payout age',
    async start() {
      stop = metrics.gauge('payout_oldest_seconds', 'Age of the oldest payout that has not ended', () =>
        oldestPayoutSeconds(database.worker),
      )
    },
    async stop() {
      stop()
    },
  }
}
