import { setTimeout as sleep } from 'node:timers/promises'
import { type Worker, worker } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from '@svc/transact'
import { attempt, type Trying } from './attempt.ts'

const POLL_MS = 1_000
const LANES = 4
/** A caller waits no longer for a call that another process has under way. */
const PATIENCE_MS = 4_000
const PAUSE_MS = 50
const logger = createLogger('intents')

/** What has become of an intent: `open` is what could not be answered yet; the workers go on. */
export interface Driven {
  state: 'applied' | 'declined' | 'aborted' | 'open'
  outcome: unknown
}

/** Makes the calls that intents record; to be woken when one was recorded. */
export interface Intents extends Worker {
  /**
   * Makes the newest call of that kind about the subject at once, and answers what became of it. Where another process
   * has it under way, waits a few seconds for its answer. Never fails: what could not be tried is open.
   */
  drive(kind: string, subjectId: string): Promise<Driven>
}

type Options = Pick<Trying, 'transact' | 'calls'> & Partial<Trying> & { name?: string }

/**
 * Makes the calls that were recorded with openIntent, each until it is answered. Any number of replicas may run. A
 * process with calls that must not wait behind others has a worker of their own, by another name.
 */
export function intentWorker({ name = 'intent-worker', ...options }: Options): Intents {
  const trying: Trying = { leaseSeconds: 30, maxBackoffSeconds: 60, ...options }
  const { transact } = trying
  const kinds = Object.keys(trying.calls)
  let endGauge = (): void => {}
  const loop = worker({
    name,
    lanes: LANES,
    pollMs: POLL_MS,
    failed: 'intents could not be worked on; they stay due',
    work: async () => (await attempt(trying, { kinds })) !== 'idle',
  })

  return {
    ...loop,
    drive: (kind, subjectId) =>
      drive(trying, kind, subjectId).catch((err: unknown) => {
        logger.error({ err, kind, subject: subjectId }, 'a call could not be tried; it stays due')
        return { state: 'open', outcome: null }
      }),
    async start() {
      endGauge = metrics.gauge('intent_oldest_seconds', 'Age of the oldest call that is still due, by kind', () =>
        ages(transact, kinds),
      )
      await loop.start()
    },
    async stop() {
      await loop.stop()
      endGauge()
    },
  }
}

async function drive(trying: Trying, kind: string, subjectId: string): Promise<Driven> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const tried = await attempt(trying, { kinds: [kind], subjectId })
    const driven = await find(trying.transact, kind, subjectId)
    if (driven.state !== 'open' || tried === 'unanswered' || performance.now() > until) return driven
    await sleep(PAUSE_MS)
  }
}

async function find(transact: Transact, kind: string, subjectId: string): Promise<Driven> {
  const { rows } = await transact('every tenant', (tx) =>
    tx.sql<Driven>(
      `SELECT CASE WHEN state IN ('pending', 'aborting') THEN 'open' ELSE state END AS state, outcome FROM intent
        WHERE kind = $1 AND subject_id = $2 ORDER BY attempt DESC LIMIT 1`,
      [kind, subjectId],
    ),
  )
  return rows[0] ?? { state: 'open', outcome: null }
}

async function ages(transact: Transact, kinds: string[]): Promise<Array<{ value: number; labels: { kind: string } }>> {
  const { rows } = await transact('every tenant', (tx) =>
    tx.sql<{ kind: string; seconds: number }>(
      `SELECT kind, extract(epoch FROM app_now() - min(created_at))::float8 AS seconds FROM intent
        WHERE state IN ('pending', 'aborting') AND kind = ANY($1) GROUP BY kind`,
      [kinds],
    ),
  )
  // 0 where nothing is due: a share of time is one of all the time, and a panel without a line would say nothing.
  const due = new Map(rows.map(({ kind, seconds }) => [kind, seconds]))
  return kinds.map((kind) => ({ value: due.get(kind) ?? 0, labels: { kind } }))
}
