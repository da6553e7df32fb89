import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockRider } from '../../db/riders.ts'
import { endTokens, openTokenEnd } from './end-tokens.ts'

/** Ends every token of the rider before it returns the token version; once asked for, it happens across any crash. */
export async function revokeRiderTokens(ctx: Context, by: By, riderId: string): Promise<number> {
  await ctx.transact('every tenant', async (tx) => {
    const rider = await lockRider(tx, riderId)
    if (!rider) throw new ServiceError('not_found')
    const { id, merchantId } = rider
    tx.publish(auditOf(by, { action: 'rider.revoke_tokens', resourceType: 'rider', resourceId: id, merchantId }))
    await openTokenEnd(tx, rider)
  })
  return endTokens(ctx, riderId)
}
