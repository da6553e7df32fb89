import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Transact } from '@svc/transact'

const logger = createLogger('intents')

export interface Intent {
  id: string
  kind: string
  subject_id: string
  merchant_id: string | null
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

export interface Trying {
  transact: Transact
  /** By kind. Others are left alone. */
  calls: Readonly<Record<string, IntentCall>>
  /** For how long a call is left to the process that makes it. One that takes longer may be made by two at once. */
  leaseSeconds: number
  /** The longest wait between two tries. */
  maxBackoffSeconds: number
}

/** The intents to choose from: those that are due, or those of one subject, due or not. */
type Choice = { kinds: readonly string[]; subjectId?: string }

/**
 * Takes one open intent under a lease and makes its call: what the other side refuses ends as declined, what it cannot
 * tell comes again with backoff. Nothing is held meanwhile but the lease. `idle` where none was to be had.
 */
export async function attempt(trying: Trying, choice: Choice): Promise<'answered' | 'unanswered' | 'idle'> {
  const claimed = await claim(trying, choice)
  if (!claimed) return 'idle'
  const answer = await ask(trying.calls[claimed.kind]!, claimed)
  if (answer) await settle(trying, claimed, answer)
  return answer?.state === null ? 'unanswered' : 'answered'
}

type Claimed = Intent & { lease: string }

function claim({ transact, leaseSeconds }: Trying, { kinds, subjectId }: Choice): Promise<Claimed | null> {
  return transact('every tenant', async (tx) => {
    const chosen = subjectId === undefined ? 'next_at <= (SELECT app_now())' : 'subject_id = $4'
    const { rows } = await tx.sql<Claimed>(
      `UPDATE intent SET lease = $2, lease_until = app_now() + make_interval(secs => $3), tries = tries + 1
        WHERE id = (
          SELECT id FROM intent
           WHERE state IN ('pending', 'aborting') AND kind = ANY($1) AND ${chosen}
             AND (lease_until IS NULL OR lease_until <= (SELECT app_now()))
           ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, subject_id, merchant_id, attempt, payload, state, tries, lease`,
      [kinds, randomUUID(), leaseSeconds, ...(subjectId === undefined ? [] : [subjectId])],
    )
    return rows[0] ?? null
  })
}

/** Without a state it stays as open as it was. */
type Answer = { state: 'applied' | 'declined' | null; outcome: object }

async function ask(call: IntentCall, intent: Claimed): Promise<Answer | null> {
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

/** Takes effect only under the lease of the attempt: one that outlasted it changes nothing. */
async function settle({ transact, maxBackoffSeconds }: Trying, intent: Claimed, { state, outcome }: Answer) {
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
