import type { RiderTokens } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import { type Call, requireMerchant } from '@svc/grpc'
import { auditOf } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { findRider } from '../../db/riders.ts'
import { requireBilling } from '../../domain/billing.ts'
import { isSandbox } from '../../domain/rider.ts'
import { issueTokens } from './issue-tokens.ts'

/** One shift. */
const ACCESS_TTL_SECONDS = 43_200

/** A merchant's key to a token of a rider of its fleet; a test key's reach the sandbox rider alone, bound to it. */
export async function mintRiderToken(ctx: Context, call: Call, riderId: string): Promise<RiderTokens> {
  const { caller } = call
  const { merchantId } = requireMerchant(call)
  if (!caller.credential?.startsWith('key:') || caller.sessionId) throw new ServiceError('forbidden')
  if (ctx.config.billingEnforcement) {
    if (!caller.standing) throw new ServiceError('service_unavailable')
    requireBilling(caller.standing.billingStatus)
  }
  await ctx.transact('every tenant', async (tx) => {
    const rider = await findRider(tx, riderId)
    const isIts = rider && (caller.isTest ? isSandbox(rider.id) : rider.merchantId === merchantId)
    if (!isIts) throw new ServiceError('rider_not_found')
    if (rider.proofRequired) {
      const message = 'The rider was somebody before joining the fleet and has to prove the phone first.'
      throw new ServiceError('forbidden', { message, details: { reason: 'phone_not_verified' } })
    }
    tx.publish(auditOf(caller, { action: 'rider_token.mint', resourceType: 'rider', resourceId: rider.id, merchantId }))
  })
  return issueTokens(ctx, { riderId, merchantId, accessTtlSeconds: ACCESS_TTL_SECONDS, isRefreshed: false })
}
