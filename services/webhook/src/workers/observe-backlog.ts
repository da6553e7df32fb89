import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'

const BACKLOG = `
SELECT count(*) FILTER (WHERE lease IS NOT NULL) AS in_flight,
       count(*) FILTER (WHERE lease IS NULL AND claimable_at <= app_now()) AS due,
       count(*) FILTER (WHERE lease IS NULL AND claimable_at > app_now()) AS scheduled
  FROM queued_delivery`

/** Shows how many deliveries wait and how many facts are held back by a missing one. */
export function observeBacklog(database: Database): Part {
  const stops: Array<() => void> = []
  return {
    name: 'backlog',
    async start() {
      stops.push(
        metrics.gauge('webhook_backlog', 'Pending deliveries by state', async () => {
          const { rows } = await database.worker.query<Record<'in_flight' | 'due' | 'scheduled', number>>(BACKLOG)
          return Object.entries(rows[0] ?? {}).map(([state, value]) => ({ value, labels: { state } }))
        }),
        metrics.gauge('webhook_held_facts', 'Facts that wait for an earlier one of their subject', async () => {
          const { rows } = await database.worker.query<{ held: number }>('SELECT count(*) AS held FROM held_fact')
          return rows[0]?.held ?? 0
        }),
      )
    },
    async stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
