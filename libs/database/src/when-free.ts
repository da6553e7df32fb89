import { setTimeout } from 'node:timers/promises'
import { createLogger } from '@svc/logging'

/**
 * For so long an owner's session waits for a lock. What waits behind it waits as long and for its own turn after that:
 * together less than a second.
 */
export const OWNER_LOCK_TIMEOUT = '500ms'

const LOCK_NOT_AVAILABLE = '55P03'
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
const PATIENCE_MS = 10 * 60_000

const logger = createLogger('migrate')

/**
 * Does the work again, after longer and longer pauses, while a lock that it needs is held; gives up after ten minutes.
 * Behind a migration that waits for a lock every request queues: the owner's `lock_timeout` keeps each wait short, and
 * in the pauses the requests go on.
 */
export async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  const givesUpAt = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isHeldUp(error) || performance.now() > givesUpAt) throw error
      logger.info({ pause_ms: pauseMs }, 'a migration waits for a table that is in use')
      await setTimeout(pauseMs)
    }
  }
}

/** Whether it, or what caused it, is a lock that was not free in time. */
function isHeldUp(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if ((one as Error & { code?: string }).code === LOCK_NOT_AVAILABLE) return true
  return false
}
