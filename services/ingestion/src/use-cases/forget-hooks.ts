import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { forgetOldHooks } from '../db/hooks.ts'

/** Rows that go in one statement. */
const BATCH = 500

const forgotten = metrics.counter('hooks_forgotten_total', 'Hooks that were done with and are removed')

/** Removes hooks that were applied or ignored long ago, bodies and all. Dead letters stay until they are resolved. */
export async function forgetHooks({ config, database }: Pick<Context, 'config' | 'database'>): Promise<number> {
  let count = 0
  for (;;) {
    const removed = await forgetOldHooks(database.worker, config.hookRetentionDays, BATCH)
    count += removed
    if (removed < BATCH) break
  }
  forgotten.add(count)
  return count
}
