import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { endDeadLetters, forgetOldHooks } from '../db/hooks.ts'

/** Rows that go in one statement. */
const BATCH = 500

const forgotten = metrics.counter('hooks_forgotten_total', 'Hooks that were done with and are removed')

/** Removes hooks that were applied or ignored long ago, bodies and all. Dead letters stay until they are resolved, or end. */
export async function forgetHooks(
  { config, database }: Pick<Context, 'config' | 'database'>,
  stopping?: AbortSignal,
): Promise<number> {
  const count = await inBatches(() => forgetOldHooks(database.worker, config.hookRetentionDays, BATCH), stopping)
  forgotten.add(count)
  return count
}

/**
 * Ends dead letters that nobody has mended for long: they hold what people have written, and no provider sends them any more.
 * Mail that is no order is no fault of anybody's, and goes sooner.
 */
export async function endOldDeadLetters(
  { config, database, channels }: Pick<Context, 'config' | 'database' | 'channels'>,
  stopping?: AbortSignal,
): Promise<number> {
  const [ofMail, others] = [true, false].map((isMail) =>
    [...channels.values()].filter((channel) => (channel.mailIn !== undefined) === isMail).map(({ name }) => name),
  ) as [string[], string[]]
  let count = 0
  for (const wanted of [
    { channels: ofMail, days: config.deadMailRetentionDays },
    { channels: others, days: config.deadLetterRetentionDays },
  ])
    count += await inBatches(() => endDeadLetters(database.worker, wanted, BATCH), stopping)
  return count
}

/** Until a batch is not full, or the process stops. */
async function inBatches(work: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
  let count = 0
  for (let done = BATCH; done === BATCH && !stopping?.aborted; count += done) done = await work()
  return count
}
