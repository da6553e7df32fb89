import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { cashHeldSeconds } from '../db/cash-accounts.ts'

/** Shows for how long some live cash has been in a rider's hands. */
export function cashAge({ database }: Pick<Context, 'database'>): Part {
  let stop = (): void => {}
  return {
    name: 'cash age',
    async start() {
      stop = metrics.gauge('cash_held_oldest_seconds', 'For how long a rider has had some live cash in hand', () =>
        cashHeldSeconds(database.worker),
      )
    },
    async stop() {
      stop()
    },
  }
}
