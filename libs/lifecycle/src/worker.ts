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
 * during work is not lost. A failure is logged and what is due stays due; stopping waits for the work under way.
 */
export function worker({ name, lanes = 1, ...work }: Work): Worker {
  const stopping = new AbortController()
  const signals = Array.from({ length: lanes }, wakeSignal)
  let running: Promise<unknown> = Promise.resolve()

  const wake = (): void => {
    for (const signal of signals) signal.wake()
  }
  return {
    name,
    wake,
    async start() {
      running = Promise.all(signals.map((signal) => lane(name, work, signal, stopping.signal)))
    },
    async stop() {
      stopping.abort()
      wake()
      await running
    },
  }
}

async function lane(name: string, work: Omit<Work, 'name'>, signal: WakeSignal, stopping: AbortSignal): Promise<void> {
  let failures = 0
  let failingSince = 0
  while (!stopping.aborted) {
    let sleepMs = work.pollMs
    try {
      while (!stopping.aborted && (await work.work(stopping))) failures = 0
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
    if (!stopping.aborted) await signal.sleep(sleepMs)
  }
}
