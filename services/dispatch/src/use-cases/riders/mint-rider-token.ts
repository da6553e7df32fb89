import type { RiderTokens } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import { type By, systemCaller, type Tenant } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findRider } from '../../db/riders.ts'
import { requireBilling } from '../../domain/billing.ts'
import { isSandbox } from '../../domain/rider.ts'

/** One shift. */
const ACCESS_TTL_SECONDS = 43_200

/** A merchant's key to a token of a rider of its fleet, which ends with the key; a test key's reach the sandbox rider alone, bound to it. */
export async function mintRiderToken(ctx: Context, by: By<Tenant>, riderId: string): Promise<RiderTokens> {
  const { caller, scope } = by
  if (ctx.config.billingEnforcement) {
    if (!caller.standing) throw new ServiceError('service_unavailable')
    requireBilling(caller.standing.billingStatus)
  }
  await ctx.transact('every tenant', async (tx) => {
    const rider = await findRider(tx, riderId)
    const isIts = rider && (scope.isTest ? isSandbox(rider.id) : rider.merchantId === scope.merchantId)
    if (!isIts) throw new ServiceError('rider_not_found')
    if (rider.proofRequired) {
      const message = 'The rider registered before it joined the fleet and has to prove the phone first.'
      throw new ServiceError('forbidden', { message, details: { reason: 'phone_not_verified' } })
    }
    // What its published code does for anybody is no privileged act.
    if (!scope.isTest)
      tx.publish(auditOf(by, { action: 'rider_token.mint', resourceType: 'rider', resourceId: rider.id }))
  })
  return issueTokens(ctx, {
    riderId,
    merchantId: scope.merchantId,
    accessTtlSeconds: ACCESS_TTL_SECONDS,
    isRefreshed: false,
    mintedBy: caller.credential,
    minterEpoch: caller.credentialEpoch,
  })
}

interface TokensToIssue {
  riderId: string
  /** The merchant to which the tokens are bound: of the rider's fleet, or for the sandbox rider of the test key. */
  merchantId: string | null
  accessTtlSeconds: number
  isRefreshed: boolean
  /** The merchant's key that asks for them, and with which they end. */
  mintedBy?: string | undefined
  /** In which the key was judged. */
  minterEpoch?: number | undefined
}

/** Tokens of a rider, bound to the fleet to which the rider belongs when they are handed out. */
export async function issueTokens(ctx: Context, wanted: TokensToIssue): Promise<RiderTokens> {
  const { riderId, merchantId, accessTtlSeconds, isRefreshed, mintedBy, minterEpoch } = wanted
  const issued = await ctx.credentials.as(systemCaller('dispatch')).issueRiderTokens({
    rider_id: riderId,
    merchant_id: merchantId ?? undefined,
    is_test: isSandbox(riderId),
    access_ttl_seconds: accessTtlSeconds,
    with_refresh_token: isRefreshed,
    minted_by: mintedBy,
    minter_epoch: minterEpoch,
  })
  await assertStillBound(ctx, wanted)
  return { ...issued, rider_id: riderId, is_sandbox: isSandbox(riderId), merchant_id: merchantId ?? undefined }
}

/** A rider who left its fleet in between may have had its tokens ended before these were made; then no client gets them. */
async function assertStillBound({ database }: Context, { riderId, merchantId }: TokensToIssue): Promise<void> {
  if (isSandbox(riderId)) return
  const rider = await findRider(database, riderId)
  if (rider?.merchantId !== merchantId) throw new ServiceError('service_unavailable')
}
