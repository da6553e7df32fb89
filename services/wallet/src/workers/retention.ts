import { type Part, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { expiries } from '../db/reservations.ts'

const EVERY_MS = 3_600_000

/** Forgets who carried which order, long after it ended. */
export const retention = ({ database }: Pick<Context, 'database'>): Part =>
  sweeper({ name: 'retention', service: 'wallet', worker: database.worker, everyMs: EVERY_MS, expiries })
