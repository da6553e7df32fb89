import type { Tx } from '@svc/transact'
import type { ReceivedHook } from '../domain/payment-hook.ts'

export interface WaitingHook extends ReceivedHook {
  since: Date
}

/** Keeps a hook to be judged again; one that was handed on once more waits anew, as it came this time. */
export async function storeWaitingHook(tx: Tx, hook: ReceivedHook, reason: string, pauseMs: number): Promise<void> {
  await tx.sql(
    `INSERT INTO waiting_hooks (hook_id, version, merchant_id, signed_by_platform, body, received_at, reason, retry_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, app_now() + make_interval(secs => $8))
     ON CONFLICT (hook_id) DO UPDATE SET
       version = excluded.version, merchant_id = excluded.merchant_id,
       signed_by_platform = excluded.signed_by_platform, body = excluded.body,
       received_at = excluded.received_at, reason = excluded.reason, retry_at = excluded.retry_at,
       waiting_since = CASE WHEN waiting_hooks.version = excluded.version
         THEN waiting_hooks.waiting_since ELSE excluded.waiting_since END`,
    [
      hook.hookId,
      hook.version,
      hook.merchantId,
      hook.signedByPlatform,
      hook.body,
      hook.receivedAt,
      reason,
      pauseMs / 1_000,
    ],
  )
}

export async function removeWaitingHook(tx: Tx, hookId: string): Promise<void> {
  await tx.sql('DELETE FROM waiting_hooks WHERE hook_id = $1', [hookId])
}

/** Waits for the word of admin, where others wait for a row of ours. */
export const IDENTIFICATION = 'identification'

/**
 * The hook that is due first, for this caller alone while `leaseMs` lasts; due again after that. Those that admin judges are
 * claimed apart: while it does not answer, no other waits for them.
 */
export async function claimWaitingHook(
  tx: Tx,
  leaseMs: number,
  awaits: typeof IDENTIFICATION | 'ourselves',
): Promise<string | null> {
  const { rows } = await tx.sql<{ hook_id: string }>(
    `UPDATE waiting_hooks SET retry_at = app_now() + make_interval(secs => $1)
      WHERE hook_id = (SELECT hook_id FROM waiting_hooks WHERE retry_at <= (SELECT app_now())
                          AND (reason = '${IDENTIFICATION}') = $2
                        ORDER BY retry_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING hook_id`,
    [leaseMs / 1_000, awaits === IDENTIFICATION],
  )
  return rows[0]?.hook_id ?? null
}

/** A hook that still waits, locked until the transaction ends. */
export async function lockWaitingHook(tx: Tx, hookId: string): Promise<WaitingHook | null> {
  const { rows } = await tx.sql<WaitingHook>(
    `SELECT hook_id AS "hookId", version, merchant_id AS "merchantId", signed_by_platform AS "signedByPlatform", body,
            coalesce(received_at, waiting_since) AS "receivedAt", waiting_since AS since
       FROM waiting_hooks WHERE hook_id = $1 FOR UPDATE`,
    [hookId],
  )
  return rows[0] ?? null
}
