import { boundedCount } from '@svc/database'
import type { Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import { ENDED, EXPIRED, type Hook, type Sorted } from '../domain/hook.ts'

/** A verified hook that could not be used. */
export interface DeadLetter {
  id: string
  channel: string
  /** Whom it is about, as far as that is known. */
  merchantId: string | null
  status: 'failed' | 'retrying' | 'resolved'
  attempts: number
  /** Why it could not be used, when it was tried last. */
  reason: string | null
  event: string
  deadAt: Date
  resolvedAt: Date | null
  /** That it tells of, where this or another hook of it has had an answer of order. */
  orderId: string | null
}

export interface DeadLetterFilter {
  merchantId?: string | undefined
  includeResolved: boolean
}

const COLUMNS = `id, channel, merchant_id AS "merchantId", attempts, reason, event, dead_at AS "deadAt",
  resolved_at AS "resolvedAt",
  CASE state WHEN 'dead' THEN 'failed' WHEN 'retrying' THEN 'retrying' ELSE 'resolved' END AS status,
  (SELECT coalesce(own.order_id,
            (SELECT other.order_id FROM normalization_jobs other
              WHERE other.merchant_id = own.merchant_id AND other.channel = own.channel
                AND other.external_order_id = own.external_order_id AND other.order_id IS NOT NULL
              ORDER BY other.created_at DESC, other.id DESC LIMIT 1))
     FROM normalization_jobs own WHERE own.id = inbound_hooks.id) AS "orderId"`

/** A page of dead letters, newest first, and how many there are. */
export async function listDeadLetters(
  sql: Tx['sql'],
  { merchantId, includeResolved }: DeadLetterFilter,
  { limit, offset }: Page,
): Promise<{ items: DeadLetter[]; total: number }> {
  const values = merchantId === undefined ? [] : [merchantId]
  // A range of one, by which rows are ordered first: no index of all merchants has them in that order, however many the
  // planner takes to be this one's.
  const wanted = `dead_at IS NOT NULL ${includeResolved ? '' : `AND state IN ('dead', 'retrying')`}
    ${merchantId === undefined ? '' : 'AND merchant_id BETWEEN $1 AND $1'}`
  const { rows: items } = await sql<DeadLetter>(
    `SELECT ${COLUMNS} FROM inbound_hooks WHERE ${wanted}
      ORDER BY ${merchantId === undefined ? '' : 'merchant_id, '}dead_at DESC, id DESC
      LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  )
  const { rows } = await sql<{ total: number }>(boundedCount(`inbound_hooks WHERE ${wanted}`), values)
  return { items, total: rows[0]!.total }
}

/** A dead letter with the hook itself; until the transaction ends no other one hands it on or judges it. */
export async function lockDeadLetter(tx: Tx, id: string): Promise<{ letter: DeadLetter; hook: Hook } | null> {
  const { rows } = await tx.sql<DeadLetter & Hook>(
    `SELECT ${COLUMNS}, path_merchant_id AS "pathMerchantId", signer, headers, body, received_at AS "receivedAt"
       FROM inbound_hooks WHERE id = $1 AND dead_at IS NOT NULL FOR UPDATE`,
    [id],
  )
  const [row] = rows
  return row ? { letter: row, hook: row } : null
}

/**
 * Writes what another attempt came to, which has the next number. Also one that fails at once is the latest from now on: by
 * its time `handed_on_at` dead letters end. That a letter had expired, or was ended, no longer is a reason.
 */
export async function storeAttempt(tx: Tx, id: string, sorted: Sorted): Promise<DeadLetter> {
  const { rows } = await tx.sql<DeadLetter>(
    `UPDATE inbound_hooks SET
       merchant_id = coalesce(path_merchant_id, $2, merchant_id), event = $3, attempts = attempts + 1,
       state = CASE WHEN $4::hook_state = 'received' AND dead_at IS NOT NULL THEN 'retrying' ELSE $4::hook_state END,
       reason = coalesce($5, CASE WHEN reason <> ALL ($6::text[]) THEN reason END),
       handed_on_at = app_now(),
       dead_at = CASE $4::hook_state WHEN 'dead' THEN coalesce(dead_at, app_now()) ELSE dead_at END,
       resolved_at = CASE WHEN $4::hook_state = 'ignored' AND dead_at IS NOT NULL THEN app_now() END
     WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, sorted.merchantId, sorted.event, sorted.state, sorted.reason, [EXPIRED, ENDED]],
  )
  return rows[0]!
}

/** Ends a locked dead letter, and its job with it. */
export async function endDeadLetter(tx: Tx, id: string): Promise<DeadLetter> {
  await tx.sql(
    `UPDATE normalization_jobs SET status = 'ignored', resolved_at = app_now() WHERE id = $1 AND status = 'failed'`,
    [id],
  )
  const { rows } = await tx.sql<DeadLetter>(
    `UPDATE inbound_hooks SET state = 'ignored', reason = $2, resolved_at = app_now() WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, ENDED],
  )
  return rows[0]!
}
