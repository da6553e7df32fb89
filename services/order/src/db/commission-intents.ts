import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'

/** The oldest open intent of one of these kinds about an order or a shipment, if there is one. */
export async function openIntentOf(tx: Tx, subjectId: string, kinds: readonly string[]): Promise<string | null> {
  const { rows } = await tx.sql<{ id: string }>(
    `SELECT id FROM intent WHERE subject_id = $1 AND kind = ANY($2) AND state IN ('pending', 'aborting')
      ORDER BY created_at, kind LIMIT 1`,
    [subjectId, [...kinds]],
  )
  return rows[0]?.id ?? null
}

export interface IntentState {
  state: 'pending' | 'applied' | 'declined' | 'aborting' | 'aborted'
  outcome: CommissionOutcome | null
  /** What the change that waits for the commission is the same as; null for intents without one. */
  aim: string | null
}

/** How an intent stands. */
export async function intentState({ worker }: Pick<Database, 'worker'>, id: string): Promise<IntentState> {
  const { rows } = await worker.query<IntentState>(
    `SELECT state, outcome, payload #>> '{act,aim}' AS aim FROM intent WHERE id = $1`,
    [id],
  )
  return rows[0]!
}

/** Has the open intent of that kind given up, should that still be possible; the workers see to it. Null: none is. */
export async function requestAbort(
  tx: Pick<Tx, 'sql'>,
  { kind, subjectId }: { kind: string; subjectId: string },
): Promise<string | null> {
  const { rows } = await tx.sql<{ id: string }>(
    `UPDATE intent SET state = 'aborting', lease = NULL, lease_until = NULL, next_at = app_now()
      WHERE subject_id = $1 AND kind = $2 AND state IN ('pending', 'aborting') RETURNING id`,
    [subjectId, kind],
  )
  return rows[0]?.id ?? null
}
