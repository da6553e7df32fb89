import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockRiderEpoch } from '../../db/rider-credentials.ts'
import { riderHolder } from '../../domain/holder.ts'
import { openSession } from '../../security/open-session.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

interface IssueRiderTokens {
  riderId: string
  /** To which the tokens are bound: of the rider's fleet, or of the sandbox. */
  merchantId?: string | undefined
  isTest: boolean
  accessTtlSeconds: number
  /** Whether other access tokens follow the first. */
  isRefreshed: boolean
}

/** Starts a family for a rider, in the rider's present epoch. Who the rider is, the caller has established. */
export async function issueRiderTokens(
  ctx: Context,
  by: By<'every tenant'>,
  { riderId, merchantId, isTest, ...lifetime }: IssueRiderTokens,
): Promise<TokenPair> {
  const { session, holder } = await ctx.transact(by.scope, async (tx) => {
    const epoch = await lockRiderEpoch(tx, riderId)
    const found = riderHolder(riderId, epoch, { merchantId: merchantId ?? null, isTest })
    return { session: openSession(tx, ctx.config, found, lifetime), holder: found }
  })
  return tokenPair(ctx, session, holder)
}
