import { type Part, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { expiries as pins } from '../db/address-pins.ts'
import { expiries as lateChanges } from '../db/settled-orders.ts'
import { sandboxExpiries, expiries as stagedRows } from '../db/shipment-purge.ts'

/** Forgets rows of which no shipment was made, and where nothing was handed over for long. */
export const retention = ({ config, database }: Pick<Context, 'config' | 'database'>): Part =>
  sweeper({
    name: 'retention',
    service: 'order',
    worker: database.worker,
    everyMs: config.sweepIntervalMs,
    expiries: [...stagedRows, ...pins, ...lateChanges],
    others: sandboxExpiries(config.sandboxRetentionDays),
  })
