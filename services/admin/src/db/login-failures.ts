import { createHash } from 'node:crypto'
import type { Database } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'

/** What the failures of an address are counted under: a digest, so that the table holds no addresses. */
export function loginSubject(audience: 'merchant' | 'operator', email: string): Buffer {
  return createHash('sha256').update(`${audience}:${email}`).digest()
}

/** The same for a network from which the account has logged in, with a count of its own. */
export function subjectThere(subject: Buffer, network: Buffer): Buffer {
  return createHash('sha256').update(subject).update(network).digest()
}

/** How long until the subject may try again; 0 while it may. */
export async function lockedForSeconds(database: Database, subject: Buffer, allowedPerHour: number): Promise<number> {
  const { rows } = await database.worker.query<{ seconds: number }>(
    `SELECT ceil(extract(epoch FROM at + interval '1 hour' - app_now()))::int AS seconds FROM login_failures
      WHERE subject = $1 AND at > app_now() - interval '1 hour' ORDER BY at DESC OFFSET $2::int - 1 LIMIT 1`,
    [subject, allowedPerHour],
  )
  return rows[0]?.seconds ?? 0
}

/** Remembers one more failure; answers which one of the last hour it is, each number once. */
export async function recordLoginFailure(tx: Tx, subject: Buffer): Promise<number> {
  await tx.sql('SELECT pg_advisory_xact_lock($1)', [subject.readBigInt64BE().toString()])
  await tx.sql('INSERT INTO login_failures (subject) VALUES ($1)', [subject])
  const { rows } = await tx.sql<{ failures: number }>(
    `SELECT count(*)::int AS failures FROM login_failures WHERE subject = $1 AND at > app_now() - interval '1 hour'`,
    [subject],
  )
  return rows[0]!.failures
}

/** Forgets the failures of a subject, who has logged in. */
export async function forgetLoginFailures(database: Database, subject: Buffer): Promise<void> {
  await database.worker.query('DELETE FROM login_failures WHERE subject = $1', [subject])
}

/** The failures that no limit counts any more. */
export const oldLoginFailures: Expiry = { table: 'login_failures', age: 'at', keep: `interval '1 hour'` }
