import type { Database } from '@svc/database'
import type { Expiry } from '@svc/lifecycle'

const KEPT = `interval '30 days'`
/** The networks of an account that are remembered: those of the latest log-ins. */
const PER_ACCOUNT = 20

/**
 * By which of its digests a network is known from which the account has logged in within 30 days; null where it is not. Known
 * by several it is the same one for every process, whatever the order of their peppers.
 */
export async function findKnownNetwork(
  database: Database,
  subject: Buffer,
  digests: readonly Buffer[],
): Promise<{ known: Buffer | null; askedAt: Date }> {
  const { rows } = await database.worker.query<{ known: Buffer | null; askedAt: Date }>(
    `SELECT (SELECT network FROM login_networks WHERE subject = $1 AND network = ANY ($2) AND at > app_now() - ${KEPT}
              ORDER BY network LIMIT 1) AS known, app_now() AS "askedAt"`,
    [subject, digests],
  )
  return rows[0]!
}

/** The networks from which the account has logged in, as far as they are remembered. */
export async function networksOfSubject({ worker }: Database, subject: Buffer): Promise<Buffer[]> {
  const { rows } = await worker.query<{ network: Buffer }>('SELECT network FROM login_networks WHERE subject = $1', [
    subject,
  ])
  return rows.map(({ network }) => network)
}

/** Remembers that the account has logged in from there, and forgets its oldest networks beyond so many. */
export async function rememberNetwork(database: Database, subject: Buffer, network: Buffer): Promise<void> {
  await database.worker.query(
    `INSERT INTO login_networks AS known (subject, network, at) VALUES ($1, $2, app_now())
     ON CONFLICT (subject, network) DO UPDATE SET at = greatest(known.at, excluded.at)`,
    [subject, network],
  )
  await database.worker.query(
    `DELETE FROM login_networks WHERE subject = $1 AND network IN
       (SELECT network FROM login_networks WHERE subject = $1 ORDER BY at DESC, network OFFSET $2)`,
    [subject, PER_ACCOUNT],
  )
}

/** Networks from which nobody has logged in for 30 days. */
export const oldLoginNetworks: Expiry = { table: 'login_networks', age: 'at', keep: KEPT }
