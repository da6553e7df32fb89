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

/** Read once: a function that may change within a statement is no condition of an index. */
const HOUR_AGO = "(SELECT app_now() - interval '1 hour')"

interface Lock {
  /** How long until the subject may try again. */
  seconds: number
  /** The subject has the mark. */
  isMarked: boolean
}

/** What keeps the subject from trying, and whether it has a mark of this hour; undefined while it may. */
export async function findLock(
  database: Database,
  subject: Buffer,
  { allowedPerHour, mark }: { allowedPerHour: number; mark: string },
): Promise<Lock | undefined> {
  const { rows } = await database.worker.query<Lock>(
    `SELECT ceil(extract(epoch FROM at + interval '1 hour' - app_now()))::int AS seconds,
            EXISTS (SELECT FROM login_failures WHERE subject = $3 AND at > ${HOUR_AGO}) AS "isMarked"
       FROM login_failures
      WHERE subject = $1 AND at > ${HOUR_AGO} ORDER BY at DESC OFFSET $2::int - 1 LIMIT 1`,
    [subject, allowedPerHour, marked(subject, mark)],
  )
  return rows[0]
}

/** Remembers one more failure. */
export async function recordLoginFailure({ worker }: Database, subject: Buffer): Promise<void> {
  await worker.query('INSERT INTO login_failures (subject) VALUES ($1)', [subject])
}

/** How many failures of the last hour are remembered. */
export async function countLoginFailures({ worker }: Database, subject: Buffer): Promise<number> {
  const { rows } = await worker.query<{ failures: number }>(
    `SELECT count(*)::int AS failures FROM login_failures WHERE subject = $1 AND at > ${HOUR_AGO}`,
    [subject],
  )
  return rows[0]!.failures
}

/**
 * Whether the subject has had none of these marks within the hour, and gets one now. Nobody waits for another: who is
 * marking it already has the right to.
 */
export async function marksFirstOfHour(tx: Tx, subject: Buffer, mark: string): Promise<boolean> {
  const of = marked(subject, mark)
  const { rows } = await tx.sql<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
    of.readBigInt64BE().toString(),
  ])
  if (!rows[0]!.mine) return false
  const { rows: made } = await tx.sql<{ id: string }>(
    `INSERT INTO login_failures (subject) SELECT $1::bytea WHERE NOT EXISTS (
       SELECT FROM login_failures WHERE subject = $1 AND at > ${HOUR_AGO}) RETURNING id`,
    [of],
  )
  return made.length === 1
}

/** What a mark of the subject is kept under. */
const marked = (subject: Buffer, mark: string): Buffer => createHash('sha256').update(subject).update(mark).digest()

/** Forgets the failures of subjects, of one that has logged in or of all of an account, and that they had the mark. */
export async function forgetLoginFailures(
  { worker }: Database,
  subjects: readonly Buffer[],
  mark: string,
): Promise<void> {
  const forgotten = [...subjects, ...subjects.map((subject) => marked(subject, mark))]
  await worker.query('DELETE FROM login_failures WHERE subject = ANY($1)', [forgotten])
}

/** The failures that no limit counts any more. */
export const oldLoginFailures: Expiry = { table: 'login_failures', age: 'at', keep: `interval '1 hour'` }
