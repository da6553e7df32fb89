import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/transact'

/** A call that must be made. */
export interface NewIntent {
  kind: string
  subjectId: string
  /** Of which tenant it is; null: of none. */
  merchantId: string | null
  /** Names the effect, so that repeats of the call take effect once. */
  payload: object
}

/** For so long workers leave a call to the process that recorded it. */
const LEFT_TO_CALLER_SECONDS = 5

/**
 * Records a call to make. A worker makes it after the commit; or the caller, which waits for it (`drive`) and to
 * which it is left for a while. Of one kind and subject one is open at a time: a newer one takes its place, also while it is under
 * way. The caller holds a lock of the subject.
 */
export async function openIntent(
  tx: Tx,
  { kind, subjectId, merchantId, payload }: NewIntent,
  by: 'worker' | 'caller' = 'worker',
): Promise<void> {
  await tx.sql(
    `INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state, next_at)
     SELECT $1, $2, $3, $4, coalesce(max(attempt), 0) + 1, $5, 'pending', app_now() + make_interval(secs => $6)
       FROM intent WHERE kind = $3 AND subject_id = $4
     ON CONFLICT (kind, subject_id) WHERE state IN ('pending', 'aborting') DO UPDATE SET
       payload = excluded.payload, lease = NULL, lease_until = NULL, next_at = excluded.next_at`,
    [randomUUID(), merchantId, kind, subjectId, JSON.stringify(payload), by === 'caller' ? LEFT_TO_CALLER_SECONDS : 0],
  )
}
