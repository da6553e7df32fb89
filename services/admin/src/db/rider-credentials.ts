import type { Tx } from '@svc/transact'

/** The epoch in which the rider's tokens live; undefined for a rider who never had any. */
export async function riderEpoch(tx: Tx, riderId: string): Promise<number | undefined> {
  const { rows } = await tx.sql<{ epoch: number }>('SELECT epoch FROM rider_credentials WHERE rider_id = $1', [riderId])
  return rows[0]?.epoch
}

/** The same, held until the transaction ends so that no revocation runs beside it; the first call starts with 1. */
export async function lockRiderEpoch(tx: Tx, riderId: string): Promise<number> {
  const { rows } = await tx.sql<{ epoch: number }>(
    `INSERT INTO rider_credentials (rider_id, epoch) VALUES ($1, 1)
     ON CONFLICT (rider_id) DO UPDATE SET epoch = rider_credentials.epoch RETURNING epoch`,
    [riderId],
  )
  return rows[0]!.epoch
}

/** The rider logs in by a code, now or long since. */
export async function noteCodeLogin(tx: Tx, riderId: string): Promise<void> {
  await tx.sql('UPDATE rider_credentials SET logged_in_at = $2 WHERE rider_id = $1 AND logged_in_at IS NULL', [
    riderId,
    tx.now,
  ])
}

/** Ends every family but one, in the present epoch; answers the epochs of the families that ended. */
export async function endOtherFamilies(
  tx: Tx,
  riderId: string,
  exceptSessionId: string,
): Promise<Array<{ credential: `session:${string}`; epoch: number }>> {
  const { rows } = await tx.sql<{ id: string; epoch: number }>(
    `UPDATE sessions SET revoked_at = $1, epoch = epoch + 1
      WHERE credential = $2 AND id::text <> $3 AND revoked_at IS NULL RETURNING id, epoch`,
    [tx.now, `rider:${riderId}`, exceptSessionId],
  )
  return rows.map(({ id, epoch }) => ({ credential: `session:${id}`, epoch }))
}

/** Begins the next epoch and ends every family of the present one. */
export async function raiseRiderEpoch(tx: Tx, riderId: string): Promise<number> {
  const { rows } = await tx.sql<{ epoch: number }>(
    `INSERT INTO rider_credentials (rider_id, epoch) VALUES ($1, 2)
     ON CONFLICT (rider_id) DO UPDATE SET epoch = rider_credentials.epoch + 1 RETURNING epoch`,
    [riderId],
  )
  await tx.sql('UPDATE sessions SET revoked_at = $1, epoch = epoch + 1 WHERE credential = $2 AND revoked_at IS NULL', [
    tx.now,
    `rider:${riderId}`,
  ])
  return rows[0]!.epoch
}
