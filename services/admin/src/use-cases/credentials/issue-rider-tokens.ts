import type { IssueRiderTokensRequest } from '@svc/contracts/admin/v1/credential_service'
import type { Context } from '../../context.ts'
import { lockRiderEpoch } from '../../db/rider-credentials.ts'
import { riderHolder } from '../../domain/holder.ts'
import { openSession } from '../../security/open-session.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'

/** Starts a family for a rider, in the rider's present epoch. Who the rider is, the caller has established. */
export async function issueRiderTokens(ctx: Context, request: IssueRiderTokensRequest): Promise<TokenPair> {
  const { rider_id, merchant_id, is_test, access_ttl_seconds, with_refresh_token } = request
  const { session, holder } = await ctx.transact('every tenant', async (tx) => {
    const epoch = await lockRiderEpoch(tx, rider_id)
    const found = riderHolder(rider_id, epoch, { merchantId: merchant_id ?? null, isTest: is_test })
    const lifetime = { accessTtlSeconds: access_ttl_seconds, isRefreshed: with_refresh_token }
    return { session: openSession(tx, ctx.config, found, lifetime), holder: found }
  })
  return tokenPair(ctx, session, holder)
}
