import type { Database } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'

/**
 * Takes the attempt, once, however many come with it at once and to whichever replica. The statement itself looks at the
 * time: a process that was held up takes none that is over, whose row may be gone.
 */
export async function takeAttempt(
  { worker }: Database,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<'taken' | 'used' | 'expired'> {
  const { rows } = await worker.query<{ taken: boolean; expired: boolean }>(
    `WITH made AS (
       INSERT INTO sign_on_attempts (id) SELECT $1 WHERE $2::timestamptz > app_now() ON CONFLICT DO NOTHING RETURNING id)
     SELECT EXISTS (SELECT FROM made) AS taken, $2::timestamptz <= app_now() AS expired`,
    [id, expiresAt],
  )
  if (rows[0]!.taken) return 'taken'
  return rows[0]!.expired ? 'expired' : 'used'
}

/** Attempts that could long not be completed any more. */
export const oldSignOnAttempts: Expiry = { table: 'sign_on_attempts', age: 'at', keep: `interval '1 hour'` }
