import { type Part, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { expiries } from '../db/reservations.ts'

/** Forgets who carried which order, long after it ended. */
export const retention = ({ config, database }: Pick<Context, 'config' | 'database'>): Part =>
  sweeper({ name: 'retention', service: 'wallet', worker: database.worker, everyMs: config.sweepIntervalMs, expiries })
