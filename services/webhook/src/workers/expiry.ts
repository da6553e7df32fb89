import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { dateExpired, EXPIRY_BATCH, expireDeliveries } from '../db/expire.ts'

/** Ends deliveries that wait for longer than their events are in the log: an endpoint that never answers keeps none for ever. */
export const expiry = ({ config, database }: Pick<Context, 'config' | 'database'>): Part =>
  repeatedly({
    name: 'expiry',
    everyMs: config.sweepIntervalMs,
    async work(signal) {
      for (const batch of [expireDeliveries, dateExpired]) {
        let ended = EXPIRY_BATCH
        while (!signal.aborted && ended === EXPIRY_BATCH) ended = await batch(database, config.eventLogRetention)
      }
    },
  })
