import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import { countHeld } from '../db/fact-streams.ts'
import { countBacklog, countLanes, longestLaneWait } from '../db/queue.ts'

/** All lanes are counted, so not at each scrape. */
const LANES_FOR_MS = 60_000

/** Shows how many deliveries and lanes wait, how endpoints do, and how many facts are held back by a missing one. */
export function observeBacklog(database: Database): Part {
  const stops: Array<() => void> = []
  const lanes = rememberedFor(LANES_FOR_MS, () => countLanes(database))
  return {
    name: 'backlog',
    async start() {
      stops.push(
        metrics.gauge('webhook_backlog', 'Pending deliveries by state', async () =>
          byState(await countBacklog(database)),
        ),
        metrics.gauge('webhook_lane_wait_seconds', 'For how long the lane that has waited longest has been due', () =>
          longestLaneWait(database),
        ),
        metrics.gauge('webhook_lanes', 'Endpoints by how they do: ok, failing or disabled', async () =>
          byState(await lanes()),
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

const byState = (counts: Record<string, number>) =>
  Object.entries(counts).map(([state, value]) => ({ value, labels: { state } }))

/** What was found lately, or else what is found now; a failure is not remembered. */
function rememberedFor<T>(ms: number, find: () => Promise<T>): () => Promise<T> {
  let found: { value: T; at: number } | undefined
  return async () => {
    if (!found || performance.now() - found.at > ms) found = { value: await find(), at: performance.now() }
    return found.value
  }
}
