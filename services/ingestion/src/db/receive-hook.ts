import { encodeFact } from '@svc/contracts/facts'
import type { Database } from '@svc/database'
import { currentTraceparent } from '@svc/telemetry'
import { eventIdOf, type Fact } from '@svc/transact'
import type { Hook, HookState, Sorted } from '../domain/hook.ts'
import type { NewJob } from './normalization-jobs.ts'

interface NewHook {
  hook: Hook
  dedupeKey: string
  sorted: Sorted
  /** Null for a hook that no service wants. */
  fact: Fact<'ingestion.hook_received'> | null
  /** Of a hook that is made into an order here. */
  job: NewJob | null
}

/** The hook as it is kept: this delivery, or an earlier one of the same event. */
export interface KeptHook {
  id: string
  isNew: boolean
  state: HookState
  /** The same bytes by the same address. */
  isSame: boolean
}

const RECEIVE = `
  WITH kept AS MATERIALIZED (
    SELECT * FROM receive_hook($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)),
  job AS (
    INSERT INTO normalization_jobs (id, channel, merchant_id, external_order_id, status, attempts, next_at, created_at)
    SELECT hook_id, $2, $17, $18, 'pending', 0, $12, $12 FROM kept WHERE is_new AND $17::uuid IS NOT NULL)
  SELECT hook_id AS id, is_new AS "isNew", hook_state AS state, is_same AS "isSame" FROM kept`

/** Keeps a hook and its fact or its job together, once, in one round trip; it is durable when this resolves. */
export async function receiveHook(worker: Database['worker'], { hook, ...received }: NewHook): Promise<KeptHook> {
  const { dedupeKey, sorted, fact, job } = received
  const { rows } = await worker.query<KeptHook>({
    name: 'receive_hook',
    text: RECEIVE,
    values: [
      hook.id,
      hook.channel,
      hook.signer,
      dedupeKey,
      hook.pathMerchantId,
      hook.pathMerchantId ?? sorted.merchantId,
      JSON.stringify(hook.headers),
      hook.body,
      sorted.event,
      sorted.state,
      sorted.reason,
      hook.receivedAt,
      ...factValues(fact),
      job?.merchantId ?? null,
      job?.externalOrderId ?? null,
    ],
  })
  const [kept] = rows
  if (!kept) throw new Error('an earlier delivery was forgotten while this one came')
  return kept
}

function factValues(fact: NewHook['fact']): unknown[] {
  if (!fact) return [null, null, null, null]
  const traceparent = currentTraceparent()
  return [
    eventIdOf(fact.aggregateId, fact.type, fact.aggregateVersion),
    fact.type,
    encodeFact(fact.type, fact.payload),
    JSON.stringify(traceparent ? { traceparent } : {}),
  ]
}
