import { createLogger } from '@svc/logging'
import { levelOfFailure } from './level-of-failure.ts'
import type { Part } from './part.ts'
import { type WakeSignal, wakeSignal } from './wake-signal.ts'

interface Work {
  name: string
  /** Rounds that go on side by side; none holds up another. One unless given. */
  lanes?: number
  /** What is due is looked at this often even when nothing wakes the worker. */
  pollMs: number
  /** Does one piece of what is due; false when nothing is. The signal is aborted when the process stops. */
  work(signal: AbortSignal): Promise<boolean>
  /** In how long something will be due; null where that is not known. */
  nextDueInMs?(): Promise<number | null>
  /** In how long the work is tried again after failures in a row; `pollMs` unless given. */
  retryInMs?(failures: number): number
  /** What the log says of a piece of work that failed. */
  failed: string
}

export interface Worker extends Required<Part> {
  /** Something may be due before the next look. */
  wake: () => void
}

/** What is due already, and yet was not to be had, is not asked for in a circle. */
const SHORTEST_SLEEP_MS = 5
const logger = createLogger('workers')

/**
 * Does what is due while there is any, then sleeps until the next is due, a wake-up, or the poll at the latest. A wake-up
 * during work is not lost. Of lanes that sleep one looks at each poll, and wakes the others where it found something. A
 * failure is logged and what is due stays due; stopping waits for the work under way.
 */
export function worker({ name, lanes = 1, ...work }: Work): Worker {
  const stopping = new AbortController()
  const signals = Array.from({ length: lanes }, wakeSignal)
  const sleeping = sleepers(work.pollMs)
  let running: Promise<unknown> = Promise.resolve()

  const wake = (): void => {
    for (const signal of signals) signal.wake()
  }
  return {
    name,
    wake,
    async start() {
      running = Promise.all(signals.map((signal) => lane(name, work, { signal, sleeping, stopping: stopping.signal })))
    },
    async stop() {
      stopping.abort()
      wake()
      await running
      sleeping.end()
    },
  }
}

interface Lane {
  signal: WakeSignal
  sleeping: Sleepers
  stopping: AbortSignal
}

async function lane(name: string, work: Omit<Work, 'name'>, { signal, sleeping, stopping }: Lane): Promise<void> {
  let failures = 0
  let failingSince = 0
  let isPoll = false
  while (!stopping.aborted) {
    let sleepMs = work.pollMs
    try {
      while (!stopping.aborted && (await work.work(stopping))) {
        failures = 0
        // Others who sleep were not told of what a poll has found.
        if (isPoll) sleeping.wake()
        isPoll = false
      }
      failures = 0
      if (work.nextDueInMs && !stopping.aborted) {
        const dueInMs = (await work.nextDueInMs()) ?? work.pollMs
        sleepMs = Math.min(Math.max(dueInMs, SHORTEST_SLEEP_MS), work.pollMs)
      }
    } catch (err) {
      if (failures === 0) failingSince = performance.now()
      failures += 1
      const level = levelOfFailure(failures, performance.now() - failingSince)
      logger[level]({ err, worker: name, failures }, work.failed)
      sleepMs = work.retryInMs?.(failures) ?? work.pollMs
    }
    if (stopping.aborted) return
    isPoll = false
    if (sleepMs === work.pollMs) isPoll = await sleeping.sleep(signal)
    else await signal.sleep(sleepMs)
  }
}

interface Sleepers {
  /** Sleeps until the signal is woken, by the poll at the latest; true where it was the poll. */
  sleep(signal: WakeSignal): Promise<boolean>
  /** Wakes all that sleep. */
  wake(): void
  end(): void
}

/** Those who sleep to the next poll: each poll wakes the one that has slept longest, so that one look serves them all. */
function sleepers(pollMs: number): Sleepers {
  const asleep = new Set<WakeSignal>()
  let timer: NodeJS.Timeout | undefined

  function poll(): void {
    timer = undefined
    const [first] = asleep
    if (!first) return
    asleep.delete(first)
    first.wake()
    if (asleep.size > 0) watch()
  }
  const watch = (): void => {
    timer ??= setTimeout(poll, pollMs)
  }
  return {
    async sleep(signal) {
      asleep.add(signal)
      watch()
      await signal.sleep()
      return !asleep.delete(signal)
    },
    wake() {
      for (const signal of asleep) signal.wake()
    },
    end: () => clearTimeout(timer),
  }
}
