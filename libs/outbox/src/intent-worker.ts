import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from './transact.ts'
import { wakeSignal } from './wake-signal.ts'

const POLL_MS = 1_000
const LANES = 4
/** Longer than any call may take. */
const LEASE_SECONDS = 30
const MAX_BACKOFF_SECONDS = 60
const logger = createLogger('intents')

export interface Intent {
  id: string
  kind: string
  subject_id: string
  merchant_id: string
  payload: unknown
  /** How often it was tried, this time included. */
  tries: number
}

/** Makes the call of an intent, which may be a repeat; answers what the intent keeps as its outcome. */
export type IntentCall = (intent: Intent) => Promise<object>

export interface IntentWorker {
  name: string
  start(): Promise<void>
  stop(): Promise<void>
  /** There may be something to do before the next look. */
  wake(): void
}

interface IntentWorkerOptions {
  transact: Transact
  /** By kind. Others are left alone. */
  calls: Readonly<Record<string, IntentCall>>
}

/**
 * Makes the calls that were settled with openIntent, each until it is answered: what the other side refuses ends as
 * declined, what it cannot tell comes again with backoff. Any number of replicas may run; nothing is held while a call
 * is under way but its lease.
 */
export function intentWorker({ transact, calls }: IntentWorkerOptions): IntentWorker {
  const signal = wakeSignal()
  const kinds = Object.keys(calls)
  let isStopping = false
  let running: Promise<unknown> = Promise.resolve()
  let endGauge = (): void => {}

  async function one(): Promise<boolean> {
    const claimed = await claim(transact, kinds)
    if (!claimed) return false
    await settle(transact, claimed, await attempt(calls[claimed.kind]!, claimed))
    return true
  }

  async function lane(): Promise<void> {
    while (!isStopping && (await one()));
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      await Promise.all(Array.from({ length: LANES }, lane)).catch((err: unknown) => {
        logger.error({ err }, 'intents could not be worked on; they stay due')
      })
      if (!isStopping) await signal.sleep(POLL_MS)
    }
  }

  return {
    name: 'intent worker',
    wake: signal.wake,
    async start() {
      endGauge = metrics.gauge('intent_oldest_seconds', 'Age of the oldest call that is still due, by kind', () =>
        ages(transact, kinds),
      )
      running = run()
    },
    async stop() {
      isStopping = true
      signal.wake()
      await running
      endGauge()
    },
  }
}

async function ages(transact: Transact, kinds: string[]): Promise<Array<{ value: number; labels: { kind: string } }>> {
  const { rows } = await transact('every tenant', (tx) =>
    tx.sql<{ kind: string; seconds: number }>(
      `SELECT kind, extract(epoch FROM app_now() - min(created_at))::float8 AS seconds FROM intent
        WHERE state = 'pending' AND kind = ANY($1) GROUP BY kind`,
      [kinds],
    ),
  )
  return rows.map(({ kind, seconds }) => ({ value: seconds, labels: { kind } }))
}

type Claimed = Intent & { lease: string }

async function claim(transact: Transact, kinds: string[]): Promise<Claimed | null> {
  return transact('every tenant', async (tx) => {
    const { rows } = await tx.sql<Claimed>(
      `UPDATE intent SET lease = $2, lease_until = app_now() + interval '${LEASE_SECONDS} seconds', tries = tries + 1
        WHERE id = (
          SELECT id FROM intent
           WHERE state = 'pending' AND kind = ANY($1) AND next_at <= app_now()
             AND (lease_until IS NULL OR lease_until <= app_now())
           ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, subject_id, merchant_id, payload, tries, lease`,
      [kinds, randomUUID()],
    )
    return rows[0] ?? null
  })
}

type Answer = { state: 'applied' | 'declined' | 'pending'; outcome: object }

async function attempt(call: IntentCall, intent: Claimed): Promise<Answer> {
  try {
    return { state: 'applied', outcome: await call(intent) }
  } catch (err) {
    const code = err instanceof ServiceError ? err.code : 'internal_error'
    const isOpen = code === 'service_unavailable' || code === 'internal_error'
    if (isOpen) logger.warn({ err, intent: intent.id, kind: intent.kind, tries: intent.tries }, 'an intent stays open')
    return { state: isOpen ? 'pending' : 'declined', outcome: { error: code } }
  }
}

/** Takes effect only under the lease of the attempt: whoever overslept it changes nothing. */
async function settle(transact: Transact, intent: Claimed, { state, outcome }: Answer): Promise<void> {
  const backoffSeconds = Math.min(2 ** Math.min(intent.tries - 1, 10), MAX_BACKOFF_SECONDS)
  await transact('every tenant', (tx) =>
    tx.sql(
      `UPDATE intent SET state = $3, outcome = $4, lease = NULL, lease_until = NULL,
              next_at = app_now() + make_interval(secs => $5)
        WHERE id = $1 AND lease = $2`,
      [intent.id, intent.lease, state, JSON.stringify(outcome), backoffSeconds],
    ),
  )
  metrics.counter('intents_total', 'Calls of intents, by what became of them').add(1, { kind: intent.kind, state })
}
