import type { Database } from '@svc/database'
import { type Part, sweeper } from '@svc/lifecycle'
import { forgotten } from '../db/forget.ts'
import { expiries as lateChanges } from '../db/settled-deliveries.ts'

const EVERY_MS = 3_600_000

/** Removes the pull log and finished deliveries after the retention time, in small bites. */
export const retention = ({ database, retentionMs }: { database: Database; retentionMs: number }): Part =>
  sweeper({
    name: 'retention',
    service: 'webhook',
    worker: database.worker,
    everyMs: EVERY_MS,
    expiries: [...forgotten(retentionMs), ...lateChanges],
  })
