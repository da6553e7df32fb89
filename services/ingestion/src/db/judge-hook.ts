import type { Tx } from '@svc/transact'

export interface Verdict {
  hookId: string
  /** Which attempt was judged. */
  attempt: number
  state: 'applied' | 'ignored' | 'dead'
  reason: string | null
  /** Whom it turned out to be about. */
  merchantId: string | null
}

/** Writes what became of the latest attempt, once; a verdict upon an earlier one changes nothing. Tells whether it did. */
export async function storeVerdict(tx: Tx, { hookId, attempt, state, reason, merchantId }: Verdict): Promise<boolean> {
  const { rowCount } = await tx.sql(
    `UPDATE inbound_hooks SET
       state = $3, reason = coalesce($4, reason), merchant_id = coalesce($5, merchant_id),
       dead_at = CASE $3::hook_state WHEN 'dead' THEN coalesce(dead_at, app_now()) ELSE dead_at END,
       resolved_at = CASE WHEN $3::hook_state <> 'dead' AND dead_at IS NOT NULL THEN app_now() END
     WHERE id = $1 AND attempts = $2 AND state IN ('received', 'retrying')`,
    [hookId, attempt, state, reason, merchantId],
  )
  return rowCount > 0
}
