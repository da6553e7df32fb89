import { randomUUID } from 'node:crypto'
import { systemCaller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'

/** Time in which admin is asked and has answered. */
const LEASE_SECONDS = 15

export interface Revocation {
  riderId: string
  lease: string
}

/** The rider's tokens end if this transaction commits: through endTokens after it, or else through the worker. */
export async function intendRevocation(tx: Tx, riderId: string): Promise<Revocation> {
  const lease = randomUUID()
  await tx.sql(
    `INSERT INTO token_revocations (rider_id, lease, lease_until)
     VALUES ($1, $2, $3::timestamptz + make_interval(secs => ${LEASE_SECONDS}))
     ON CONFLICT (rider_id) DO UPDATE SET lease = excluded.lease, lease_until = excluded.lease_until`,
    [riderId, lease, tx.now],
  )
  return { riderId, lease }
}

/** Has admin end the tokens and forgets the intention; one that was renewed meanwhile stays. Returns the token version. */
export async function endTokens(ctx: Context, { riderId, lease }: Revocation): Promise<number> {
  const admin = ctx.credentials.as(systemCaller('dispatch'))
  const { token_version } = await admin.revokeRiderTokens({ rider_id: riderId })
  await ctx.transact('every tenant', (tx) =>
    tx.sql('DELETE FROM token_revocations WHERE rider_id = $1 AND lease = $2', [riderId, lease]),
  )
  return token_version
}

/** The same where the caller's own act is done: when admin does not answer, the worker goes on. */
export async function endTokensOrLater(ctx: Context, revocation: Revocation): Promise<void> {
  await endTokens(ctx, revocation).catch((err: unknown) => {
    ctx.logger.warn({ err, rider: revocation.riderId }, 'tokens did not end at once; the worker goes on')
  })
}

/** Takes over what nobody has finished within its lease. */
export async function claimRevocations(ctx: Context): Promise<Revocation[]> {
  return ctx.transact('every tenant', async (tx) => {
    const { rows } = await tx.sql<Revocation>(
      `UPDATE token_revocations SET lease = gen_random_uuid(),
              lease_until = app_now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE rider_id IN (SELECT rider_id FROM token_revocations WHERE lease_until <= app_now()
                            ORDER BY lease_until LIMIT 20 FOR UPDATE SKIP LOCKED)
        RETURNING rider_id AS "riderId", lease`,
    )
    return rows
  })
}
