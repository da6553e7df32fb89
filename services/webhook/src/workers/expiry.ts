import type { Database } from '@svc/database'
import { type Part, repeatedly } from '@svc/lifecycle'
import { dateExpired, EXPIRY_BATCH, expireDeliveries } from '../db/expire.ts'

const EVERY_MS = 3_600_000

/** Ends deliveries that wait for longer than their events are in the log: an endpoint that never answers keeps none for ever. */
export const expiry = ({ database, retentionMs }: { database: Database; retentionMs: number }): Part =>
  repeatedly({
    name: 'expiry',
    everyMs: EVERY_MS,
    async work(signal) {
      for (const batch of [expireDeliveries, dateExpired]) {
        let ended = EXPIRY_BATCH
        while (!signal.aborted && ended === EXPIRY_BATCH) ended = await batch(database, retentionMs)
      }
    },
  })
