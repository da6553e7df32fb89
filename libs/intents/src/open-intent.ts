import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/transact'

/** A call that must be made. */
export interface NewIntent {
  kind: string
  subjectId: string
  merchantId: string
  /** Names the effect, so that repeats of the call take effect once. */
  payload: object
}

/**
 * Settles that a call will be made if the transaction commits. Of one kind and subject one is open at a time: a newer
 * one takes its place, also while it is under way. The caller holds a lock of the subject.
 */
export async function openIntent(tx: Tx, { kind, subjectId, merchantId, payload }: NewIntent): Promise<void> {
  await tx.sql(
    `INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state)
     SELECT $1, $2, $3, $4, coalesce(max(attempt), 0) + 1, $5, 'pending' FROM intent WHERE kind = $3 AND subject_id = $4
     ON CONFLICT (kind, subject_id) WHERE state IN ('pending', 'aborting') DO UPDATE SET
       payload = excluded.payload, lease = NULL, lease_until = NULL, next_at = app_now()`,
    [randomUUID(), merchantId, kind, subjectId, JSON.stringify(payload)],
  )
}
