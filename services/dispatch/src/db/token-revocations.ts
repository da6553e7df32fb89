import type { Tx } from '@svc/transact'
import { rowOf, rowsOf, type Source, write } from './rows.ts'

/** Time in which admin is asked and has answered. */
const LEASE_SECONDS = 15

/** The tokens of a rider that are to end. */
export interface Revocation {
  riderId: string
  lease: string
}

/** Records that the rider's tokens are to end. The caller ends them after the commit; else the worker does. */
export async function openRevocation(tx: Tx, riderId: string): Promise<Revocation> {
  const opened = await rowOf<Revocation>(
    tx,
    `INSERT INTO token_revocations (rider_id, lease, lease_until)
     VALUES ($1, gen_random_uuid(), $2::timestamptz + make_interval(secs => ${LEASE_SECONDS}))
     ON CONFLICT (rider_id) DO UPDATE SET lease = excluded.lease, lease_until = excluded.lease_until
     RETURNING rider_id, lease`,
    [riderId, tx.now],
  )
  return opened!
}

/** Forgets the revocation; one that was opened anew or claimed meanwhile stays. */
export async function closeRevocation(source: Source, { riderId, lease }: Revocation): Promise<void> {
  await write(source, 'DELETE FROM token_revocations WHERE rider_id = $1 AND lease = $2', [riderId, lease])
}

/** Takes over revocations that were not closed within their lease. */
export const claimRevocations = (source: Source): Promise<Revocation[]> =>
  rowsOf<Revocation>(
    source,
    `UPDATE token_revocations SET lease = gen_random_uuid(),
            lease_until = app_now() + make_interval(secs => ${LEASE_SECONDS})
      WHERE rider_id IN (SELECT rider_id FROM token_revocations WHERE lease_until <= app_now()
                          ORDER BY lease_until LIMIT 20 FOR UPDATE SKIP LOCKED)
      RETURNING rider_id, lease`,
  )
