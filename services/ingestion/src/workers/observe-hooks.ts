import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import { countDeadLetters, oldestUnjudgedSeconds } from '../db/hooks.ts'

/** Shows at each scrape how long hooks wait for a verdict, and how many for an operator. */
export function observeHooks({ worker }: Pick<Database, 'worker'>): Part {
  const stops: Array<() => void> = []
  return {
    name: 'observed hooks',
    async start() {
      stops.push(
        metrics.gauge(
          'hook_oldest_unjudged_seconds',
          'For how long the oldest hook that was handed on has been without a verdict',
          () => oldestUnjudgedSeconds(worker),
        ),
        metrics.gauge('hook_dead_letters', 'Hooks that wait for an operator', () => countDeadLetters(worker)),
      )
    },
    async stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
