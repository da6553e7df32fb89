import { systemCaller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { claimRevocations, closeRevocation, type Revocation } from '../../db/token-revocations.ts'

/** Has admin end the tokens and forgets the revocation; one that was opened anew meanwhile stays. Returns the token version. */
export async function endTokens(ctx: Context, revocation: Revocation): Promise<number> {
  const admin = ctx.credentials.as(systemCaller('dispatch'))
  const { token_version } = await admin.revokeRiderTokens({ rider_id: revocation.riderId })
  await closeRevocation(ctx.database, revocation)
  return token_version
}

/** The same where the caller's own act is done: when admin does not answer, the worker goes on. */
export async function endTokensOrLater(ctx: Context, revocation: Revocation): Promise<void> {
  await endTokens(ctx, revocation).catch((err: unknown) => {
    ctx.logger.warn({ err, rider: revocation.riderId }, 'tokens did not end at once; the worker goes on')
  })
}

/** Ends the tokens that a crash or an outage has left alive. */
export async function endLeftTokens(ctx: Context): Promise<void> {
  const claimed = await claimRevocations(ctx.database)
  // Together: all of them have the one lease to finish in.
  await Promise.all(claimed.map((revocation) => endTokensOrLater(ctx, revocation)))
}
