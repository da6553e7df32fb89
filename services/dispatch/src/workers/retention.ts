import { type Part, repeatedly, sweeper } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { forgotten, forgottenPhotos } from '../db/forget.ts'
import { forgetPhotos } from '../use-cases/proof/forget-photos.ts'

/** Removes what nobody asks for any more, in small bites. */
export function retention(ctx: Pick<Context, 'config' | 'database' | 'objectStore' | 'logger'>): Part[] {
  const { config, database } = ctx
  const everyMs = config.sweepIntervalMs
  return [
    sweeper({
      name: 'retention',
      service: 'dispatch',
      worker: database.worker,
      everyMs,
      expiries: forgotten(config),
      others: forgottenPhotos(config),
    }),
    repeatedly({ name: 'photo retention', everyMs, work: (stopping) => forgetPhotos(ctx, stopping) }),
  ]
}
