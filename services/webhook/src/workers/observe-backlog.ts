import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import { countHeld } from '../db/fact-streams.ts'
import { countBacklog } from '../db/queue.ts'

/** Shows how many deliveries wait and how many facts are held back by a missing one. */
export function observeBacklog(database: Database): Part {
  const stops: Array<() => void> = []
  return {
    name: 'backlog',
    async start() {
      stops.push(
        metrics.gauge('webhook_backlog', 'Pending deliveries by state', async () =>
          Object.entries(await countBacklog(database)).map(([state, value]) => ({ value, labels: { state } })),
        ),
        metrics.gauge('webhook_held_facts', 'Facts that wait for an earlier one of their subject', () =>
          countHeld(database),
        ),
      )
    },
    async stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
