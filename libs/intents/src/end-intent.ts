import type { Tx } from '@svc/transact'

/**
 * Ends an open intent in the transaction of what follows from its answer; false when it was ended before, and then
 * nothing may follow. It does not matter which process holds the lease: an answer is final.
 */
export async function endIntent(
  tx: Tx,
  id: string,
  state: 'applied' | 'declined' | 'aborted',
  outcome: object,
): Promise<boolean> {
  const { rowCount } = await tx.sql(
    `UPDATE intent SET state = $2, outcome = $3, lease = NULL, lease_until = NULL
      WHERE id = $1 AND state IN ('pending', 'aborting')`,
    [id, state, JSON.stringify(outcome)],
  )
  return rowCount === 1
}
