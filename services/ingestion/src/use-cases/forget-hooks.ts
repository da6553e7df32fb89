import { metrics } from '@svc/telemetry'
import type { Context } from '../context.ts'
import { endDeadLetters, forgetOldHooks } from '../db/hooks.ts'

/** Rows that go in one statement. */
const BATCH = 500

const forgotten = metrics.counter('hooks_forgotten_total', 'Hooks that were done with and are removed')

/** Removes hooks that were applied or ignored long ago, bodies and all. Dead letters stay until they are resolved. */
export async function forgetHooks(
  { config, database }: Pick<Context, 'config' | 'database'>,
  stopping?: AbortSignal,
): Promise<number> {
  const count = await inBatches(() => forgetOldHooks(database.worker, config.hookRetentionDays, BATCH), stopping)
  forgotten.add(count)
  return count
}

/**
 * Ends dead letters of mail that nobody has mended for long. Mail that is no order is no fault of anybody's, holds what
 * people have written, and its provider sends it no more; of other channels a dead letter is a record, and stays.
 */
export function endDeadMail(
  { config, database, channels }: Pick<Context, 'config' | 'database' | 'channels'>,
  stopping?: AbortSignal,
): Promise<number> {
  const ofMail = [...channels.values()].filter((channel) => channel.mailIn !== undefined).map(({ name }) => name)
  const wanted = { channels: ofMail, days: config.deadMailRetentionDays }
  return inBatches(() => endDeadLetters(database.worker, wanted, BATCH), stopping)
}

/** Until a batch is not full, or the process stops. */
async function inBatches(work: () => Promise<number>, stopping?: AbortSignal): Promise<number> {
  let count = 0
  for (let done = BATCH; done === BATCH && !stopping?.aborted; count += done) done = await work()
  return count
}
