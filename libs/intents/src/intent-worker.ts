import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { type Worker, worker } from '@svc/lifecycle'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from '@svc/transact'

const POLL_MS = 1_000
const LANES = 4
const logger = createLogger('intents')

export interface Intent {
  id: string
  kind: string
  subject_id: string
  merchant_id: string
  /** Counts the intents of its kind and subject that are kept; with beginIntent, all that ever were. */
  attempt: number
  payload: unknown
  /** `aborting` when an operator wants it given up; the call settles whether that still can be. */
  state: 'pending' | 'aborting'
  /** How often it was tried, this time included. */
  tries: number
}

/**
 * Makes the call of an intent, which may be a repeat; answers what the intent keeps as its outcome, or null when it has
 * ended the intent itself (endIntent), together with what follows from the answer.
 */
export type IntentCall = (intent: Intent) => Promise<object | null>

interface Options {
  transact: Transact
  /** By kind. Others are left alone. */
  calls: Readonly<Record<string, IntentCall>>
  /** For how long a call is left to whoever makes it. One that takes longer may be made by two at once. */
  leaseSeconds?: number
  /** The longest wait between two tries. */
  maxBackoffSeconds?: number
}

/**
 * Makes the calls that were settled with openIntent, each until it is answered: what the other side refuses ends as
 * declined, what it cannot tell comes again with backoff. Any number of replicas may run; nothing is held while a call
 * is under way but its lease.
 */
export function intentWorker({ transact, calls, leaseSeconds = 30, maxBackoffSeconds = 60 }: Options): Worker {
  const kinds = Object.keys(calls)
  let endGauge = (): void => {}
  const loop = worker({
    name: 'intent-worker',
    lanes: LANES,
    pollMs: POLL_MS,
    failed: 'intents could not be worked on; they stay due',
    async work() {
      const claimed = await claim(transact, kinds, leaseSeconds)
      if (!claimed) return false
      const answer = await attempt(calls[claimed.kind]!, claimed)
      if (answer) await settle(transact, claimed, answer, maxBackoffSeconds)
      return true
    },
  })

  return {
    ...loop,
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

async function ages(transact: Transact, kinds: string[]): Promise<Array<{ value: number; labels: { kind: string } }>> {
  const { rows } = await transact('every tenant', (tx) =>
    tx.sql<{ kind: string; seconds: number }>(
      `SELECT kind, extract(epoch FROM app_now() - min(created_at))::float8 AS seconds FROM intent
        WHERE state IN ('pending', 'aborting') AND kind = ANY($1) GROUP BY kind`,
      [kinds],
    ),
  )
  return rows.map(({ kind, seconds }) => ({ value: seconds, labels: { kind } }))
}

type Claimed = Intent & { lease: string }

async function claim(transact: Transact, kinds: string[], leaseSeconds: number): Promise<Claimed | null> {
  return transact('every tenant', async (tx) => {
    const { rows } = await tx.sql<Claimed>(
      `UPDATE intent SET lease = $2, lease_until = app_now() + make_interval(secs => $3), tries = tries + 1
        WHERE id = (
          SELECT id FROM intent
           WHERE state IN ('pending', 'aborting') AND kind = ANY($1) AND next_at <= (SELECT app_now())
             AND (lease_until IS NULL OR lease_until <= (SELECT app_now()))
           ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, subject_id, merchant_id, attempt, payload, state, tries, lease`,
      [kinds, randomUUID(), leaseSeconds],
    )
    return rows[0] ?? null
  })
}

/** Without a state it stays as open as it was. */
type Answer = { state: 'applied' | 'declined' | null; outcome: object }

async function attempt(call: IntentCall, intent: Claimed): Promise<Answer | null> {
  try {
    const outcome = await call(intent)
    return outcome && { state: 'applied', outcome }
  } catch (err) {
    const code = err instanceof ServiceError ? err.code : 'internal_error'
    const isOpen = code === 'service_unavailable' || code === 'internal_error'
    if (isOpen) logger.warn({ err, intent: intent.id, kind: intent.kind, tries: intent.tries }, 'an intent stays open')
    return { state: isOpen ? null : 'declined', outcome: { error: code } }
  }
}

/** Takes effect only under the lease of the attempt: whoever overslept it changes nothing. */
async function settle(
  transact: Transact,
  intent: Claimed,
  { state, outcome }: Answer,
  maxBackoffSeconds: number,
): Promise<void> {
  const backoffSeconds = Math.min(2 ** Math.min(intent.tries - 1, 10), maxBackoffSeconds)
  await transact('every tenant', (tx) =>
    tx.sql(
      `UPDATE intent SET state = coalesce($3, state), outcome = $4, lease = NULL, lease_until = NULL,
              next_at = app_now() + make_interval(secs => $5)
        WHERE id = $1 AND lease = $2`,
      [intent.id, intent.lease, state, JSON.stringify(outcome), backoffSeconds],
    ),
  )
  metrics
    .counter('intents_total', 'Calls of intents, by what became of them')
    .add(1, { kind: intent.kind, state: state ?? 'pending' })
}
