import type { Database } from '@svc/database'
import { type Part, repeatedly } from '@svc/lifecycle'
import { FORGET_BATCH, FORGOTTEN, forget } from '../db/forget.ts'

const EVERY_MS = 3_600_000

/** Removes the pull log and finished deliveries after the retention time, in small bites. */
export const retention = ({ database, retentionMs }: { database: Database; retentionMs: number }): Part =>
  repeatedly({
    name: 'retention',
    everyMs: EVERY_MS,
    async work(signal) {
      for (const kind of FORGOTTEN) {
        let removed = FORGET_BATCH
        while (!signal.aborted && removed === FORGET_BATCH) removed = await forget(database.worker, kind, retentionMs)
      }
    },
  })
