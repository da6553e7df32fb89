import { encodeFact } from '@svc/contracts/facts'
import { batched, type Database } from '@svc/database'
import { currentTraceparent } from '@svc/telemetry'
import { eventIdOf, type Fact } from '@svc/transact'
import { DatabaseError } from 'pg'
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

/** Keeps a hook and its fact or its job together, once; all of it is durable when this resolves. */
export type KeepHook = (hook: NewHook) => Promise<KeptHook>

/** Hooks of one statement, and the bytes of them: a body may have 1 MiB, and each is held several times over. */
const MAX_TOGETHER = 32
const MAX_BYTES = 4 * 1024 * 1024

interface Written extends NewHook {
  /** What Kafka is told; empty where that is nothing. */
  payload: Buffer
  traceparent: string | undefined
}

const COLUMNS: ReadonlyArray<readonly [name: string, type: string, valueOf: (hook: Written) => unknown]> = [
  ['id', 'uuid', ({ hook }) => hook.id],
  ['channel', 'text', ({ hook }) => hook.channel],
  ['signer', 'text', ({ hook }) => hook.signer],
  ['dedupe_key', 'text', ({ dedupeKey }) => dedupeKey],
  ['path_merchant_id', 'uuid', ({ hook }) => hook.pathMerchantId],
  ['merchant_id', 'uuid', ({ hook, sorted }) => hook.pathMerchantId ?? sorted.merchantId],
  ['headers', 'jsonb', ({ hook }) => JSON.stringify(hook.headers)],
  ['body_length', 'int', ({ hook }) => hook.body.length],
  ['event', 'text', ({ sorted }) => sorted.event],
  ['state', 'hook_state', ({ sorted }) => sorted.state],
  ['reason', 'text', ({ sorted }) => sorted.reason],
  ['received_at', 'timestamptz', ({ hook }) => hook.receivedAt],
  ['fact_id', 'uuid', ({ fact }) => fact && eventIdOf(fact.aggregateId, fact.type, fact.aggregateVersion)],
  ['fact_type', 'text', ({ fact }) => fact?.type ?? null],
  ['payload_length', 'int', ({ payload }) => payload.length],
  ['fact_headers', 'jsonb', ({ traceparent }) => JSON.stringify(traceparent ? { traceparent } : {})],
  ['job_merchant_id', 'uuid', ({ job }) => job?.merchantId ?? null],
  ['external_order_id', 'text', ({ job }) => job?.externalOrderId ?? null],
]

/** What Postgres is given as bytes stands one after the other in one parameter: in an array it would be sent as hex. */
const RECEIVE = `
  WITH given AS (
    SELECT *, sum(body_length + payload_length) OVER (ORDER BY place)::int - body_length - payload_length AS before
      FROM unnest(${COLUMNS.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')})
           WITH ORDINALITY AS one (${COLUMNS.map(([name]) => name).join(', ')}, place)),
  kept AS MATERIALIZED (
    SELECT given.*, hook.hook_id, hook.is_new, hook.hook_state, hook.is_same
      FROM given CROSS JOIN LATERAL receive_hook(
        id, channel, signer, dedupe_key, path_merchant_id, merchant_id, headers,
        substring($1::bytea FROM before + 1 FOR body_length), event, state, reason, received_at,
        fact_id, fact_type, substring($1::bytea FROM before + body_length + 1 FOR payload_length), fact_headers) hook),
  job AS (
    INSERT INTO normalization_jobs (id, channel, merchant_id, external_order_id, status, attempts, next_at, created_at)
    SELECT hook_id, channel, job_merchant_id, external_order_id, 'pending', 0, received_at, received_at
      FROM kept WHERE is_new AND job_merchant_id IS NOT NULL)
  SELECT place::int, hook_id AS id, is_new AS "isNew", hook_state AS state, is_same AS "isSame" FROM kept`

/**
 * Hooks that come while one is being kept go together in the next statement. One that Postgres refuses fails no other:
 * each is then kept alone.
 */
export function hookKeeper(worker: Database['worker']): KeepHook {
  const together = async (hooks: readonly Written[]): Promise<Array<KeptHook | undefined>> => {
    // In the same order in every process: of two that keep the same hooks at once none waits for the other in a circle.
    const ordered = hooks.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const bytes = Buffer.concat(ordered.flatMap(({ hook, payload }) => [hook.body, payload]))
    const { rows } = await worker.query<KeptHook & { place: number }>({
      name: 'receive_hook',
      text: RECEIVE,
      values: [bytes, ...COLUMNS.map(([, , valueOf]) => ordered.map(valueOf))],
    })
    const kept = new Map(rows.map(({ place, ...row }) => [ordered[place - 1], row]))
    return hooks.map((hook) => kept.get(hook))
  }
  const keep = batched<Written, KeptHook | undefined>({
    limit: MAX_TOGETHER,
    weight: { of: ({ hook, payload }) => hook.body.length + payload.length, limit: MAX_BYTES },
    alone: async (hook) => (await together([hook]))[0],
    together,
    // What the server itself refuses it has rolled back; where it went down right after the commit, the row is found.
    isUndone: (error) => error instanceof DatabaseError,
  })
  return async (hook) => {
    const { fact } = hook
    const payload = fact ? encodeFact(fact.type, fact.payload) : Buffer.alloc(0)
    const kept = await keep({ ...hook, payload, traceparent: currentTraceparent() })
    if (!kept) throw new Error('an earlier delivery was forgotten while this one came')
    return { ...kept, isNew: kept.isNew || kept.id === hook.hook.id }
  }
}

const keyOf = ({ hook, dedupeKey }: Written): string => `${hook.channel} ${hook.signer} ${dedupeKey}`
