import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'
import { countHeld } from '../db/fact-streams.ts'
import { countBacklog, countLanes, longestLaneWait } from '../db/queue.ts'

/** All that wait and all lanes are counted, so not at each scrape. The wait of lanes, which alerts read, is. */
const COUNTS_FOR_MS = 60_000

/** Shows how many deliveries and lanes wait, how endpoints do, and how many facts are held back by a missing one. */
export function observeBacklog(database: Database): Part {
  const stops: Array<() => void> = []
  const backlog = rememberedFor(COUNTS_FOR_MS, () => countBacklog(database))
  const lanes = rememberedFor(COUNTS_FOR_MS, () => countLanes(database))
  return {
    name: 'backlog',
    async start() {
      stops.push(
        metrics.gauge('webhook_backlog', 'Pending deliveries by state', async () => byState(await backlog())),
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

/** What was asked for lately, or else now, by who comes meanwhile too; a failure is not remembered. */
function rememberedFor<T>(ms: number, find: () => Promise<T>): () => Promise<T> {
  let asked: { answer: Promise<T>; at: number } | undefined
  return () => {
    if (asked && performance.now() - asked.at <= ms) return asked.answer
    const asking = { answer: find(), at: performance.now() }
    asked = asking
    asking.answer.catch(() => {
      if (asked === asking) asked = undefined
    })
    return asking.answer
  }
}
