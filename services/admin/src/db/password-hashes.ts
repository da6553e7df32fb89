import type { Database } from '@svc/database'

interface MovedPassword {
  id: string
  former: string
  passwordHash: string
  /** By the clock of the database, before the former one was judged. */
  askedAt: Date
}

const TABLES = { merchant: 'users', operator: 'operators' } as const

/**
 * Puts the hash of the same password by another pepper in the place of the former one. Whoever has chosen another meanwhile
 * keeps it; and a process that was held up for a minute, which may put another pepper first than the others do by now,
 * stores nothing.
 */
export async function movePassword(
  { worker }: Database,
  audience: keyof typeof TABLES,
  { id, former, passwordHash, askedAt }: MovedPassword,
): Promise<void> {
  await worker.query(
    `UPDATE ${TABLES[audience]} SET password_hash = $3
      WHERE id = $1 AND password_hash = $2 AND $4::timestamptz > app_now() - interval '1 minute'`,
    [id, former, passwordHash, askedAt],
  )
}
