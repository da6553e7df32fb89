import { SANDBOX_RIDER } from '@svc/credentials'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockMinter } from '../../db/api-keys.ts'
import { lockRiderEpoch, noteCodeLogin } from '../../db/rider-credentials.ts'
import { assertSameEpoch, riderHolder } from '../../domain/holder.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { openSession } from '../../security/open-session.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'
import { unboundHolder, unboundSession } from '../../security/unbound-session.ts'

interface IssueRiderTokens {
  riderId: string
  /** To which the tokens are bound: of the rider's fleet, or of the sandbox. */
  merchantId?: string | undefined
  isTest: boolean
  accessTtlSeconds: number
  /** Whether other access tokens follow the first. */
  isRefreshed: boolean
  /** `key:<id>`: the key of that merchant that asks for them. */
  mintedBy?: string | undefined
  /** The epoch in which the gateway judged that key; a token of its former secret would outlive the rotation. */
  minterEpoch?: number | undefined
}

/**
 * Starts a family for a rider, in the rider's present epoch and in that of the key that asks for it. Who the rider is, the
 * caller has established. Of the shared sandbox rider's, bound to no merchant, nothing is kept.
 */
export async function issueRiderTokens(
  ctx: Context,
  by: By<'every tenant'>,
  asked: IssueRiderTokens,
): Promise<TokenPair> {
  const { riderId, merchantId, isTest, mintedBy, minterEpoch, ...lifetime } = asked
  if (riderId === SANDBOX_RIDER.id && merchantId === undefined) {
    return tokenPair(ctx, unboundSession(new Date()), await unboundHolder(ctx))
  }
  const { session, holder, ended } = await ctx.transact(by.scope, async (tx) => {
    const minter = mintedBy === undefined ? null : await lockMinter(tx, mintedBy, merchantId)
    if (minter === undefined) throw unauthorized('revoked')
    if (minter) assertSameEpoch(minter, minterEpoch)
    const { epoch, heldSince } = await lockRiderEpoch(tx, riderId)
    // The code of the sandbox rider is everybody's: who logs in by it proves nothing, and says nothing to other merchants.
    if (!minter && riderId !== SANDBOX_RIDER.id) await noteCodeLogin(tx, riderId)
    const found = riderHolder(riderId, epoch, { merchantId: merchantId ?? null, isTest, minter })
    return openSession(tx, ctx.config, found, { ...lifetime, begunAt: heldSince })
  })
  await ctx.epochs.publish(ended)
  return tokenPair(ctx, session, holder)
}
