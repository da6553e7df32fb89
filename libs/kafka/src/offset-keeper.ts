import { createLogger } from '@svc/logging'

const logger = createLogger('kafka-offsets')
/** Each time costs the broker as much as to send it many facts. */
const EVERY_MS = 1_000

/** Tells the broker how far everything is done that the member has in hand. */
type Commit = () => Promise<void>

/**
 * When a member of a group tells how far it is: after the first facts at once, then once in so long, and so long after the
 * last ones. One that is killed has the facts of that time handled again, one that stops has none.
 */
export interface OffsetKeeper {
  /** More facts are done. Throws where the broker had to be told and could not. */
  done(commit: Commit): Promise<void>
  /** Some are done, and then one failed. */
  failed(commit: Commit): Promise<void>
  /** The membership has ended. */
  forget(): void
  /** From now on the broker is told at once: batches that are at work may yet end. */
  close(): Promise<void>
}

export function offsetKeeper(everyMs = EVERY_MS): OffsetKeeper {
  let latest: Commit | undefined
  let timer: NodeJS.Timeout | undefined
  let committedAt = Number.NEGATIVE_INFINITY
  let isClosing = false

  async function commit(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    committedAt = performance.now()
    await latest?.()
  }
  /** Where it fails the facts come again, to whoever has the partition then. */
  const commitIfCan = () =>
    commit().catch((err: unknown) => logger.debug({ err }, 'the group was not told how far it is'))

  return {
    async done(told) {
      latest = told
      if (isClosing || performance.now() - committedAt >= everyMs) await commit()
      else timer ??= setTimeout(() => void commitIfCan(), everyMs)
    },
    async failed(told) {
      latest = told
      await commitIfCan()
    },
    forget() {
      clearTimeout(timer)
      timer = undefined
      latest = undefined
    },
    async close() {
      isClosing = true
      await commitIfCan()
    },
  }
}
