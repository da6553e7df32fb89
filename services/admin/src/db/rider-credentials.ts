import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'

/** Of a rider who never had any tokens. */
export const FIRST_EPOCH = 1

/** Of a rider, held until the transaction ends: what is issued or ended beside it comes wholly before or after. */
interface HeldEpoch {
  epoch: number
  /** Since when it is held: later than every transaction that held it before, unlike the beginning of this one. */
  heldSince: Date
}

/** The epoch in which the rider's tokens live; undefined for a rider who never had any. */
export async function riderEpoch(tx: Tx, riderId: string): Promise<number | undefined> {
  const { rows } = await tx.sql<{ epoch: number }>('SELECT epoch FROM rider_credentials WHERE rider_id = $1', [riderId])
  return rows[0]?.epoch
}

/** The same, held until the transaction ends so that no revocation runs beside it; the first call starts with 1. */
export async function lockRiderEpoch(tx: Tx, riderId: string): Promise<HeldEpoch> {
  const { rows } = await tx.sql<HeldEpoch>(
    `INSERT INTO rider_credentials (rider_id, epoch) VALUES ($1, ${FIRST_EPOCH})
     ON CONFLICT (rider_id) DO UPDATE SET epoch = rider_credentials.epoch RETURNING epoch, app_now() AS "heldSince"`,
    [riderId],
  )
  return rows[0]!
}

/** The rider logs in by a code, now or long since. */
export async function noteCodeLogin(tx: Tx, riderId: string): Promise<void> {
  await tx.sql('UPDATE rider_credentials SET logged_in_at = $2 WHERE rider_id = $1 AND logged_in_at IS NULL', [
    riderId,
    tx.now,
  ])
}

/** Begins the next epoch: every access token of the present one is dead with it. The families are ended beside it. */
export async function raiseRiderEpoch(tx: Tx, riderId: string): Promise<HeldEpoch> {
  const { rows } = await tx.sql<HeldEpoch>(
    `INSERT INTO rider_credentials (rider_id, epoch) VALUES ($1, ${FIRST_EPOCH + 1})
     ON CONFLICT (rider_id) DO UPDATE SET epoch = rider_credentials.epoch + 1 RETURNING epoch, app_now() AS "heldSince"`,
    [riderId],
  )
  return rows[0]!
}

/** Since when the rider was held as that revocation first took effect; undefined for one that has not. The rider is held. */
export async function revokedSince(tx: Tx, revocationId: string, riderId: string): Promise<Date | undefined> {
  const { rows } = await tx.sql<{ at: Date }>('SELECT at FROM rider_revocations WHERE id = $1 AND rider_id = $2', [
    revocationId,
    riderId,
  ])
  return rows[0]?.at
}

/** Remembers that it takes effect with this transaction. */
export async function noteRevocation(tx: Tx, revocationId: string, riderId: string, at: Date): Promise<void> {
  await tx.sql('INSERT INTO rider_revocations (id, rider_id, at) VALUES ($1, $2, $3)', [revocationId, riderId, at])
}

/** Revocations that nobody repeats any more. */
export const oldRevocations: Expiry = { table: 'rider_revocations', age: 'at', keep: `interval '30 days'` }
