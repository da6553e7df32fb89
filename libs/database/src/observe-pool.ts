import { metrics } from '@svc/telemetry'
import type pg from 'pg'

/** Shows the connections of a role's pool, and how many callers wait for one; until the returned function is called. */
export function observePool(database: string, role: string, pool: pg.Pool): () => void {
  const labels = { database, pool: role }
  const gauges = [
    metrics.gauge('pg_pool_connections', 'Connections of a pool, by what they do', () => [
      { value: pool.totalCount - pool.idleCount, labels: { ...labels, state: 'busy' } },
      { value: pool.idleCount, labels: { ...labels, state: 'idle' } },
    ]),
    metrics.gauge('pg_pool_waiting', 'Callers that wait for a connection of a pool', () => [
      { value: pool.waitingCount, labels },
    ]),
  ]
  return () => {
    for (const end of gauges) end()
  }
}
