import { hash } from 'node:crypto'
import { encodeFact } from '@svc/contracts/facts'
import { batched, type Database } from '@svc/database'
import { currentTraceparent } from '@svc/telemetry'
import { eventIdOf, type Fact } from '@svc/transact'
import { DatabaseError } from 'pg'
import type { Hook, HookState, Sorted } from '../domain/hook.ts'
import type { NewJob } from './normalization-jobs.ts'
import { type RememberedClaims, stampOf } from './shop-claims.ts'

interface NewHook {
  hook: Hook
  dedupeKey: string
  /** What it is believed by that may be different by now. */
  by: RememberedClaims | null
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

/**
 * Keeps a hook and its fact or its job together, once; all of it is durable when this resolves. Throws Disbelieved where it is
 * believed by claims that are no longer those of the shop: nothing is kept then, nor looked for.
 */
export type KeepHook = (hook: NewHook) => Promise<KeptHook>

/** What is remembered is not what is: the hook is to be judged by what is. */
export class Disbelieved extends Error {
  override readonly name = 'Disbelieved'
}

type Outcome = KeptHook | 'disbelieved' | undefined

/** Statements at a time: while one waits for the disk the next is worked on. */
const AT_ONCE = 2
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
  ['shop_domain', 'text', ({ by }) => by?.shopDomain ?? null],
  ['stamp', 'text', ({ by }) => by?.stamp ?? null],
]

/**
 * Keeps hooks that came for the first time, each with its fact or its job, and answers their ids, and those of the ones
 * whose claims are others by now, as this very statement sees them. Of deliveries at the same
 * moment one is first; the others wait for its commit. What Postgres is given as bytes stands one after the other in one
 * parameter: in an array it would be sent as hex.
 */
const RECEIVE = `
  WITH given AS (
    SELECT *, sum(body_length + payload_length) OVER (ORDER BY place)::int - body_length - payload_length AS before
      FROM unnest(${COLUMNS.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')})
           WITH ORDINALITY AS one (${COLUMNS.map(([name]) => name).join(', ')}, place)),
  disbelieved AS MATERIALIZED (
    SELECT channel, shop_domain, stamp FROM (SELECT DISTINCT channel, shop_domain, stamp FROM given WHERE stamp IS NOT NULL) one
     WHERE stamp IS DISTINCT FROM ${stampOf({ channel: 'one.channel', shopDomain: 'one.shop_domain' })}),
  kept AS (
    INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, path_merchant_id, merchant_id, headers, body, event, state,
                               reason, attempts, received_at, handed_on_at, dead_at)
    SELECT id, channel, signer, dedupe_key, path_merchant_id, merchant_id, headers,
           substring($1::bytea FROM before + 1 FOR body_length), event, state, reason,
           CASE state WHEN 'ignored' THEN 0 ELSE 1 END, received_at, CASE state WHEN 'received' THEN received_at END,
           CASE state WHEN 'dead' THEN received_at END
      FROM given
     WHERE NOT EXISTS (SELECT FROM disbelieved WHERE (channel, shop_domain, stamp) = (given.channel, given.shop_domain, given.stamp))
     ORDER BY place
    ON CONFLICT (channel, signer, dedupe_key) DO NOTHING
    RETURNING id),
  fact AS (
    INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload,
                        headers, created_at)
    SELECT fact_id, outbox_shard(id), 'hook', id, 1, path_merchant_id, false, fact_type,
           substring($1::bytea FROM before + body_length + 1 FOR payload_length), fact_headers, received_at
      FROM given JOIN kept USING (id) WHERE fact_id IS NOT NULL),
  job AS (
    INSERT INTO normalization_jobs (id, channel, merchant_id, external_order_id, status, attempts, next_at, created_at)
    SELECT id, channel, job_merchant_id, external_order_id, 'pending', 0, received_at, received_at
      FROM given JOIN kept USING (id) WHERE job_merchant_id IS NOT NULL)
  SELECT id, true AS "isKept" FROM kept
  UNION ALL SELECT id, false FROM given JOIN disbelieved USING (channel, shop_domain, stamp)`

/** The earlier deliveries of events that had come before; by a statement of its own, which sees what others have just kept. */
const EARLIER = `
  SELECT place::int, hook.id, hook.state, hook.path_merchant_id AS "pathMerchantId", sha256(hook.body) AS digest
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (channel, signer, dedupe_key, place)
    JOIN inbound_hooks hook USING (channel, signer, dedupe_key)`

interface Earlier extends Pick<Hook, 'id' | 'pathMerchantId'> {
  place: number
  state: HookState
  /** Of its bytes. */
  digest: Buffer
}

/**
 * Hooks that come while others are being kept go together in the next statement. One that Postgres refuses fails no other:
 * each is then kept alone.
 */
export function hookKeeper(worker: Database['worker']): KeepHook {
  const earlierOf = async (repeated: readonly Written[]): Promise<Map<Written, KeptHook>> => {
    const { rows } = await worker.query<Earlier>({
      name: 'earlier_hooks',
      text: EARLIER,
      values: [
        repeated.map(({ hook }) => hook.channel),
        repeated.map(({ hook }) => hook.signer),
        repeated.map(({ dedupeKey }) => dedupeKey),
      ],
    })
    return new Map(
      rows.map(({ place, id, state, pathMerchantId, digest }) => {
        const given = repeated[place - 1] as Written
        const isSame =
          pathMerchantId === given.hook.pathMerchantId && digest.equals(hash('sha256', given.hook.body, 'buffer'))
        return [given, { id, isNew: false, state, isSame }]
      }),
    )
  }
  const together = async (hooks: readonly Written[]): Promise<Outcome[]> => {
    // In the same order in every process: of two that keep the same hooks at once none waits for the other in a circle.
    const ordered = hooks.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const bytes = Buffer.concat(ordered.flatMap(({ hook, payload }) => [hook.body, payload]))
    const { rows } = await worker.query<{ id: string; isKept: boolean }>({
      name: 'receive_hook',
      text: RECEIVE,
      values: [bytes, ...COLUMNS.map(([, , valueOf]) => ordered.map(valueOf))],
    })
    const told = new Map(rows.map(({ id, isKept }) => [id, isKept]))
    const repeated = hooks.filter(({ hook }) => !told.has(hook.id))
    const earlier = repeated.length > 0 ? await earlierOf(repeated) : new Map<Written, KeptHook>()
    return hooks.map((given) => {
      const { hook, sorted } = given
      if (told.get(hook.id) === false) return 'disbelieved'
      return told.has(hook.id) ? { id: hook.id, isNew: true, state: sorted.state, isSame: true } : earlier.get(given)
    })
  }
  const keep = batched<Written, Outcome>({
    limit: MAX_TOGETHER,
    atOnce: AT_ONCE,
    weight: { of: ({ hook, payload }) => hook.body.length + payload.length, limit: MAX_BYTES },
    alone: async (hook) => (await together([hook]))[0],
    together,
    // What the server itself refuses it has rolled back; where that, or its end, came after the commit, the row is found.
    isUndone: (error) => error instanceof DatabaseError,
  })
  return async (hook) => {
    const { fact } = hook
    const payload = fact ? encodeFact(fact.type, fact.payload) : Buffer.alloc(0)
    const kept = await keep({ ...hook, payload, traceparent: currentTraceparent() })
    if (!kept) throw new Error('an earlier delivery was forgotten while this one came')
    if (kept === 'disbelieved') throw new Disbelieved()
    return { ...kept, isNew: kept.isNew || kept.id === hook.hook.id }
  }
}

const keyOf = ({ hook, dedupeKey }: Written): string => `${hook.channel} ${hook.signer} ${dedupeKey}`
