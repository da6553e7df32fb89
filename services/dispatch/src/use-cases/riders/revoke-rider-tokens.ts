import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { findRider } from '../../db/riders.ts'
import { endTokens, intendRevocation } from './end-tokens.ts'

/** Ends every token of the rider before it returns the token version; once asked for, it happens whoever crashes. */
export async function revokeRiderTokens(ctx: Context, caller: Caller, riderId: string): Promise<number> {
  const revocation = await ctx.transact('every tenant', async (tx) => {
    const rider = await findRider(tx, riderId)
    if (!rider) throw new ServiceError('not_found')
    const { id, merchantId } = rider
    tx.publish(auditOf(caller, { action: 'rider.revoke_tokens', resourceType: 'rider', resourceId: id, merchantId }))
    return intendRevocation(tx, id)
  })
  return endTokens(ctx, revocation)
}
