import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/transact'
import type { NewIntent } from './open-intent.ts'

export interface BegunIntent {
  id: string
  attempt: number
}

export interface FirstHandIntent extends NewIntent {
  /** How many attempts the subject has had by its own count: rows of ended intents are deleted, numbers never come again. */
  earlierAttempts: number
}

/**
 * As openIntent, for a caller that makes the call itself as soon as the transaction commits: workers leave it alone for
 * `leaseSeconds`. Nothing is replaced: where one is open already it throws. The caller holds a lock of the subject, of
 * which it keeps the number of the attempt.
 */
export async function beginIntent(
  tx: Tx,
  { kind, subjectId, merchantId, payload, earlierAttempts }: FirstHandIntent,
  leaseSeconds: number,
): Promise<BegunIntent> {
  const { rows } = await tx.sql<BegunIntent>(
    `INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state, tries, lease, lease_until)
     SELECT $1, $2, $3, $4, greatest($8, max(attempt)) + 1, $5, 'pending', 1, $6, app_now() + make_interval(secs => $7)
       FROM intent WHERE kind = $3 AND subject_id = $4
     RETURNING id, attempt`,
    [randomUUID(), merchantId, kind, subjectId, JSON.stringify(payload), randomUUID(), leaseSeconds, earlierAttempts],
  )
  return rows[0]!
}
