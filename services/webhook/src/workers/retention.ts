import { type Part, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { forgotten } from '../db/forget.ts'
import { expiries as lateChanges } from '../db/settled-deliveries.ts'

/** Removes the pull log and finished deliveries after the retention time, in small bites. */
export const retention = ({ config, database }: Pick<Context, 'config' | 'database'>): Part =>
  sweeper({
    name: 'retention',
    service: 'webhook',
    worker: database.worker,
    everyMs: config.sweepIntervalMs,
    expiries: [...forgotten(config.eventLogRetention), ...lateChanges],
  })
