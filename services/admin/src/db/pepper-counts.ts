import type { Database } from '@svc/database'

export interface PepperCount {
  /** Of which digests or hashes. */
  table: 'api_keys' | 'users' | 'operators'
  /** The name of the pepper that made them; null: they were made while there was one alone. */
  pepper: string | null
  count: number
}

/** The name of the pepper in the hash of a password; null where it names none. */
export const PEPPER_OF_PASSWORD = `substring(password_hash FROM 'keyid=([A-Za-z0-9+/]+)')`

/** How many keys that are not revoked, and how many passwords, each pepper has made. Reads all of them. */
export async function countByPepper({ worker }: Database): Promise<PepperCount[]> {
  const { rows } = await worker.query<PepperCount>(
    `SELECT 'api_keys' AS "table", secret_pepper AS pepper, count(*)::int AS count
       FROM api_keys WHERE revoked_at IS NULL GROUP BY 2
     UNION ALL
     SELECT 'users', ${PEPPER_OF_PASSWORD}, count(*)::int FROM users GROUP BY 2
     UNION ALL
     SELECT 'operators', ${PEPPER_OF_PASSWORD}, count(*)::int FROM operators GROUP BY 2
     ORDER BY 1, 2`,
  )
  return rows
}
