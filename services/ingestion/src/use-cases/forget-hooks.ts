import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'

/** Rows that go in one statement: their bodies may be large. */
const BATCH = 500

const forgotten = metrics.counter('hooks_forgotten_total', 'Hooks that were done with and are removed')

/** Removes hooks that were applied or ignored long ago, bodies and all. Dead letters stay until they are resolved. */
export async function forgetHooks({ config, database }: Pick<Context, 'config' | 'database'>): Promise<number> {
  let count = 0
  for (;;) {
    const { rowCount } = await database.worker.query(
      `DELETE FROM inbound_hooks WHERE id IN (
         SELECT id FROM inbound_hooks
          WHERE state IN ('applied', 'ignored') AND received_at < (SELECT app_now()) - make_interval(days => $1)
          ORDER BY received_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
      [config.hookRetentionDays],
    )
    count += rowCount ?? 0
    if ((rowCount ?? 0) < BATCH) break
  }
  forgotten.add(count)
  return count
}
