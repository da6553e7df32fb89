import type { Logger } from '@svc/logging'
import { metrics } from '@svc/telemetry'

const LOG_EVERY_MS = 60_000

/** Why a hook was not believed: for operators only, its sender never learns. */
export type Refusal = 'unknown_channel' | 'unknown_merchant' | 'bad_signature'

export interface Refusals {
  count(channel: string, reason: Refusal): void
}

const refused = metrics.counter('hooks_refused_total', 'Hooks that were not believed')

/** Counts refused hooks and logs one a minute: a sender of nonsense fills neither a table nor a disk. */
export function refusals(logger: Logger): Refusals {
  let logAgainAt = 0
  let unlogged = 0
  return {
    count(channel, reason) {
      refused.add(1, { channel, reason })
      unlogged += 1
      if (performance.now() < logAgainAt) return
      logger.warn({ channel, reason, count: unlogged }, 'hooks were refused; this is the latest of them')
      logAgainAt = performance.now() + LOG_EVERY_MS
      unlogged = 0
    },
  }
}
