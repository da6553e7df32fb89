import type { Database } from '@svc/database'
import type { Part } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'

const OLDEST_UNJUDGED = `
SELECT extract(epoch FROM app_now() - min(handed_on_at))::float8 AS value FROM inbound_hooks
 WHERE state IN ('received', 'retrying')`

const DEAD_LETTERS = `SELECT count(*)::int AS value FROM inbound_hooks WHERE state = 'dead'`

/** Shows at each scrape whether hooks wait for somebody: for a verdict, or for an operator. */
export function observeHooks({ worker }: Pick<Database, 'worker'>): Part {
  const number = (text: string) => async () => {
    const { rows } = await worker.query<{ value: number | null }>(text)
    return rows[0]?.value ?? 0
  }
  const stops: Array<() => void> = []
  return {
    name: 'observed hooks',
    async start() {
      stops.push(
        metrics.gauge(
          'hook_oldest_unjudged_seconds',
          'For how long nobody has told what became of the oldest hook that was handed on',
          number(OLDEST_UNJUDGED),
        ),
        metrics.gauge('hook_dead_letters', 'Hooks that wait for an operator', number(DEAD_LETTERS)),
      )
    },
    async stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}
