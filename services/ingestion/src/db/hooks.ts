import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import { EXPIRED, type Hook } from '../domain/hook.ts'

type Worker = Database['worker']

/** A hook that was handed on and awaits its verdict. */
export interface HandedOn extends Pick<Hook, 'id' | 'channel' | 'pathMerchantId' | 'signer' | 'body'> {
  /** Which time it was handed on. */
  attempt: number
}

/** A hook that awaits its verdict, nobody else's until the commit; null where it has one. */
export async function lockHandedOn(tx: Tx, id: string): Promise<HandedOn | null> {
  const { rows } = await tx.sql<HandedOn>(
    `SELECT id, channel, path_merchant_id AS "pathMerchantId", signer, body, attempts AS attempt
       FROM inbound_hooks WHERE id = $1 AND state IN ('received', 'retrying') FOR UPDATE`,
    [id],
  )
  return rows[0] ?? null
}

/**
 * Ends dead letters of these channels that nobody has mended since they were tried last, so long ago; at most so many. What
 * they lacked stays with their jobs.
 */
export async function endDeadLetters(
  worker: Worker,
  { channels, days }: { channels: readonly string[]; days: number },
  limit: number,
): Promise<number> {
  const { rowCount } = await worker.query(
    `WITH ended AS (
       UPDATE inbound_hooks SET state = 'ignored', reason = $4, resolved_at = app_now()
        WHERE id IN (
          SELECT id FROM inbound_hooks
           WHERE state = 'dead' AND channel = ANY($1)
             AND greatest(dead_at, handed_on_at) < (SELECT app_now()) - make_interval(days => $2)
           ORDER BY channel, greatest(dead_at, handed_on_at) LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING id),
     jobs AS (
       UPDATE normalization_jobs SET status = 'ignored', resolved_at = app_now()
        WHERE id IN (SELECT id FROM ended) AND status = 'failed')
     SELECT FROM ended`,
    [channels, days, limit, EXPIRED],
  )
  return rowCount ?? 0
}

/**
 * Removes hooks that were applied or ignored so long ago and have no attachment in the store, bodies and all, dead letters
 * among them as long after their end; at most so many, as their bodies may be large.
 */
export async function forgetOldHooks(worker: Worker, days: number, limit: number): Promise<number> {
  const { rowCount } = await worker.query(
    `DELETE FROM inbound_hooks WHERE id IN (
       SELECT id FROM inbound_hooks
        WHERE state IN ('applied', 'ignored') AND received_at < (SELECT app_now()) - make_interval(days => $1)
          AND (resolved_at IS NULL OR resolved_at < (SELECT app_now()) - make_interval(days => $1))
          AND NOT EXISTS (SELECT FROM attachment_ocr_jobs job WHERE job.hook_id = inbound_hooks.id AND job.storage_key IS NOT NULL)
        ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [days, limit],
  )
  return rowCount ?? 0
}

/** For how long the oldest hook that was handed on waits for a verdict; 0 where none does. */
export function oldestUnjudgedSeconds(worker: Worker): Promise<number> {
  return numberOf(
    worker,
    `SELECT extract(epoch FROM app_now() - min(handed_on_at))::float8 AS value FROM inbound_hooks
      WHERE state IN ('received', 'retrying')`,
  )
}

/** How many hooks wait for an operator. */
export function countDeadLetters(worker: Worker): Promise<number> {
  return numberOf(worker, `SELECT count(*)::int AS value FROM inbound_hooks WHERE state = 'dead'`)
}

async function numberOf(worker: Worker, text: string): Promise<number> {
  const { rows } = await worker.query<{ value: number | null }>(text)
  return rows[0]?.value ?? 0
}
