import { batched, boundedCount, type Database, type Statement } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Transact, Tx } from '@svc/transact'
import { DatabaseError } from 'pg'
import type { Hook } from '../domain/hook.ts'

/** What a hook that tells of an order is to be made into. */
export interface NewJob {
  /** Of its hook. */
  id: string
  channel: string
  merchantId: string
  externalOrderId: string | null
}

export type JobStatus = 'pending' | 'succeeded' | 'ignored' | 'failed'

export interface NormalizationJob extends NewJob {
  status: JobStatus
  /** Tries since it was handed on last. */
  attempts: number
  /** Why it came to nothing so far. */
  error: string | null
  /** What it lacks. */
  fields: string[]
  orderId: string | null
  createdAt: Date
  resolvedAt: Date | null
}

/** A job that a process works on, with its hook. */
export interface ClaimedJob extends NewJob, Pick<Hook, 'event' | 'headers' | 'body' | 'receivedAt'> {
  attempts: number
  lease: string
  /** Which attempt of the hook it is. */
  version: number
  claimedAt: Date
}

/** What became of one try. */
export interface JobResult {
  status: JobStatus
  error: string | null
  field?: string | undefined
  outcome?: string | undefined
  toldAt?: Date | null
  orderId?: string | null
  /** Of a pending one. */
  againInMs?: number
  /** For what others do: it was no try of its own. */
  isWaiting?: boolean
  /** Of what a customer has confirmed, who is told. */
  isConfirmed?: boolean
}

const COLUMNS = `id, channel, merchant_id AS "merchantId", external_order_id AS "externalOrderId", status, attempts, error,
  coalesce(string_to_array(field, ','), '{}') AS fields,  order_id AS "orderId", created_at AS "createdAt", resolved_at AS "resolvedAt"`

/** Makes a job of a hook that is handed on again, or begins its job anew; whoever works on it loses it. */
export async function openJob(tx: Tx, { id, channel, merchantId, externalOrderId }: NewJob): Promise<void> {
  await tx.sql(
    `INSERT INTO normalization_jobs (id, channel, merchant_id, external_order_id, status, attempts, next_at, created_at)
     VALUES ($1, $2, $3, $4, 'pending', 0, app_now(), app_now())
     ON CONFLICT (id) DO UPDATE SET
       merchant_id = excluded.merchant_id, external_order_id = excluded.external_order_id, status = 'pending', attempts = 0,
       next_at = app_now(), lease = NULL, lease_until = NULL, resolved_at = NULL`,
    [id, channel, merchantId, externalOrderId],
  )
}

const UNIQUE_VIOLATION = '23505'

/** Whose job was taken last: the next is of the merchant behind that one. */
export interface Turn {
  merchantId: string
}

const FIRST_MERCHANT = '00000000-0000-0000-0000-000000000000'

/** A job that nobody works on, nor on another of its order. */
const FREE = `due.status = 'pending' AND due.next_at <= (SELECT app_now())
  AND (due.lease_until IS NULL OR due.lease_until <= (SELECT app_now()))
  AND NOT EXISTS (
    SELECT FROM normalization_jobs other
     WHERE other.merchant_id = due.merchant_id AND other.channel = due.channel
       AND other.external_order_id = due.external_order_id AND other.lease IS NOT NULL AND other.id <> due.id)`

export const firstTurn = (): Turn => ({ merchantId: FIRST_MERCHANT })

/** How many jobs are taken at once, and for how long they are whose. */
export interface Claim {
  most: number
  leaseSeconds: number
}

/**
 * Takes jobs that are due, of whose order nobody works on another, under leases; `contended` where another process was
 * faster. Merchants take turns, so that none waits for all that another has sent: where more of them wait than are taken,
 * each has one of these, and where fewer do, as many as are left for it.
 */
export async function claimJobs(
  worker: Database['worker'],
  turn: Turn,
  claim: Claim,
): Promise<ClaimedJob[] | 'contended'> {
  try {
    const after = turn.merchantId
    let jobs = await claimAfter(worker, after, claim)
    if (jobs.length === 0 && after !== FIRST_MERCHANT) jobs = await claimAfter(worker, FIRST_MERCHANT, claim)
    const [last = FIRST_MERCHANT] = jobs
      .map(({ merchantId }) => merchantId)
      .toSorted()
      .reverse()
    turn.merchantId = last
    return jobs
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return 'contended'
    throw error
  }
}

/** A job for whoever asks; null where none is to be had. What is asked for at one moment is taken by one statement. */
export function sharedClaims(worker: () => Database['worker'], { most, leaseSeconds }: Claim) {
  const turn = firstTurn()
  const together = async (asked: readonly unknown[]): Promise<Array<ClaimedJob | 'contended' | null>> => {
    const jobs = await claimJobs(worker(), turn, { most: asked.length, leaseSeconds })
    return asked.map((_, nth) => (jobs === 'contended' ? jobs : (jobs[nth] ?? null)))
  }
  const alone = async () => (await together([null]))[0] ?? null
  const claim = batched({ limit: most, together, alone, isUndone: (error) => error instanceof DatabaseError })
  return () => claim(null)
}

/**
 * The oldest jobs of the first merchants behind this one that have any to be had, of each order the oldest; from merchant to
 * merchant by the index.
 */
async function claimAfter(
  worker: Database['worker'],
  merchantId: string,
  { most, leaseSeconds }: Claim,
): Promise<ClaimedJob[]> {
  // Planned each time: a plan that was made while few waited would serve many.
  const { rows } = await worker.query<ClaimedJob>(
    `WITH RECURSIVE waiting AS (
         SELECT $2::uuid AS merchant_id
         UNION ALL
         SELECT (SELECT next.merchant_id FROM normalization_jobs next
                  WHERE next.status = 'pending' AND next.merchant_id > waiting.merchant_id
                  ORDER BY next.merchant_id LIMIT 1)
           FROM waiting WHERE waiting.merchant_id IS NOT NULL),
       turns AS MATERIALIZED (
         SELECT merchant_id, count(*) OVER () AS merchants FROM (
           SELECT waiting.merchant_id FROM waiting
            WHERE waiting.merchant_id > $2 AND EXISTS (SELECT FROM normalization_jobs due WHERE due.merchant_id = waiting.merchant_id AND ${FREE})
            LIMIT $3) next),
       taken AS MATERIALIZED (
         SELECT oldest.id FROM turns CROSS JOIN LATERAL (
           SELECT DISTINCT ON (next.channel, coalesce(next.external_order_id, next.id::text)) next.id FROM (
             SELECT due.id, due.channel, due.external_order_id, due.next_at FROM normalization_jobs due
              WHERE due.merchant_id = turns.merchant_id AND ${FREE}
              ORDER BY due.next_at, due.id LIMIT greatest($3 / turns.merchants, 1) FOR UPDATE SKIP LOCKED) next
            ORDER BY next.channel, coalesce(next.external_order_id, next.id::text), next.next_at, next.id) oldest)
       UPDATE normalization_jobs j
          SET lease = gen_random_uuid(), lease_until = app_now() + make_interval(secs => $1), attempts = j.attempts + 1
         FROM inbound_hooks h
        WHERE h.id = j.id AND j.id IN (SELECT id FROM taken)
       RETURNING j.id, j.channel, j.merchant_id AS "merchantId", j.external_order_id AS "externalOrderId", j.attempts,
                 j.lease, app_now() AS "claimedAt", h.event, h.headers, h.body, h.received_at AS "receivedAt",
                 h.attempts AS version`,
    [leaseSeconds, merchantId, most],
  )
  return rows
}

/** What is known of an order from its other hooks. */
export interface ToldBefore {
  /** The newest time at which it was told of. */
  newestAt: Date | null
  /** The newest time at which it was said to be cancelled. */
  cancelledAt: Date | null
}

/**
 * What hooks that were judged before have told of the order of a job: one row, a ToldBefore. The newest alone are read, however
 * many there are of one order.
 */
export function toldBefore({ merchantId, channel, externalOrderId, id }: NewJob): Statement {
  const newest = (wanted: string) =>
    `(SELECT told_at FROM normalization_jobs
       WHERE merchant_id = $1 AND channel = $2 AND external_order_id = $3 AND id <> $4
         AND status IN ('succeeded', 'ignored') AND ${wanted} AND told_at IS NOT NULL
       ORDER BY told_at DESC LIMIT 1)`
  return {
    text: `SELECT ${newest('outcome IS NOT NULL')} AS "newestAt", ${newest("outcome = 'cancel'")} AS "cancelledAt"`,
    params: [merchantId, channel, externalOrderId, id],
    planned: 'each time',
  }
}

/** Writes what a try came to, under its lease; false where the job was taken from it meanwhile. */
export async function storeResult(tx: Tx, { id, lease }: ClaimedJob, result: JobResult): Promise<boolean> {
  const { status, error, field = null, outcome = null, toldAt = null, orderId = null, againInMs = 0 } = result

  const { rowCount } = await tx.sql(
    `UPDATE normalization_jobs SET
       status = $3, error = $4, field = $5, outcome = $6, told_at = $7, order_id = coalesce($8, order_id), lease = NULL,
       lease_until = NULL, next_at = app_now() + make_interval(secs => $9), attempts = attempts - $10::int,
       resolved_at = CASE WHEN $3::normalization_status IN ('succeeded', 'ignored') THEN app_now() END
     WHERE id = $1 AND lease = $2`,
    [id, lease, status, error, field, outcome, toldAt, orderId, againInMs / 1000, result.isWaiting ? 1 : 0],
  )
  return rowCount > 0
}

/**
 * In how long a job can be had: one that is due may wait for another of its order, whose lease ends at the latest then. Null
 * where none is pending.
 */
export async function nextJobInMs(transact: Transact): Promise<number | null> {
  const { rows } = await transact('every tenant', (tx) =>
    tx.sql<{ ms: number | null }>(
      `SELECT extract(epoch FROM least(
         (SELECT due.next_at FROM normalization_jobs due
           WHERE due.status = 'pending' AND due.lease IS NULL
             AND NOT EXISTS (
               SELECT FROM normalization_jobs other
                WHERE other.merchant_id = due.merchant_id AND other.channel = due.channel
                  AND other.external_order_id = due.external_order_id AND other.lease IS NOT NULL)
           ORDER BY due.next_at LIMIT 1),
         (SELECT min(lease_until) FROM normalization_jobs WHERE lease IS NOT NULL)) - app_now())::float8 * 1000 AS ms`,
    ),
  )
  return rows[0]?.ms ?? null
}

export interface JobFilter {
  merchantId?: string | undefined
  status?: JobStatus | undefined
}

/** A page of jobs, newest first, and how many there are. */
export async function listJobs(
  sql: Tx['sql'],
  { merchantId, status }: JobFilter,
  { limit, offset }: Page,
): Promise<{ items: NormalizationJob[]; total: number }> {
  const values = [merchantId, status].filter((value) => value !== undefined)
  // A range of one, by which rows are ordered first: no index without the state has them in that order, however many of a
  // merchant's jobs the planner takes to be in it.
  const wanted = [
    ...(merchantId === undefined ? [] : ['merchant_id = $1']),
    ...(status === undefined ? [] : [`status BETWEEN $${values.length} AND $${values.length}`]),
  ]
  const where = wanted.length === 0 ? '' : `WHERE ${wanted.join(' AND ')}`
  const { rows: items } = await sql<NormalizationJob>(
    `SELECT ${COLUMNS} FROM normalization_jobs ${where}
      ORDER BY ${status === undefined ? '' : 'status, '}created_at DESC, id DESC
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  const { rows } = await sql<{ total: number }>(boundedCount(`normalization_jobs ${where}`), values)
  return { items, total: rows[0]!.total }
}

/** A job by its id; null for the id of none. */
export async function findJob(sql: Tx['sql'], id: string): Promise<NormalizationJob | null> {
  const { rows } = await sql<NormalizationJob>(`SELECT ${COLUMNS} FROM normalization_jobs WHERE id = $1`, [id])
  return rows[0] ?? null
}

/** The hook of a job; until the transaction ends no other one judges it or hands it on. Null for the id of no job. */
export async function lockJobHook(tx: Tx, id: string): Promise<Hook | null> {
  const { rows } = await tx.sql<Hook>(
    `SELECT id, channel, path_merchant_id AS "pathMerchantId", signer, event, headers, body, received_at AS "receivedAt"
       FROM inbound_hooks WHERE id = $1 AND EXISTS (SELECT FROM normalization_jobs WHERE normalization_jobs.id = $1) FOR UPDATE`,
    [id],
  )
  return rows[0] ?? null
}

/** Makes a pending job due at once. */
export async function hurryJob(tx: Tx, id: string): Promise<void> {
  await tx.sql(`UPDATE normalization_jobs SET next_at = app_now() WHERE id = $1 AND status = 'pending'`, [id])
}
