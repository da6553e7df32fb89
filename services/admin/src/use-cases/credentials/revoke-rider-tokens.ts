import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { endOtherFamilies, lockRiderEpoch, raiseRiderEpoch } from '../../db/rider-credentials.ts'

interface RevokeRiderTokens {
  riderId: string
  /** The one family that goes on; absent: none does. */
  exceptSessionId?: string | undefined
}

/**
 * Ends every token of the rider, or all but those of one family, on every gateway, before it returns the epoch in which
 * the rider's tokens live.
 */
export async function revokeRiderTokens(
  ctx: Context,
  by: By<'every tenant'>,
  { riderId, exceptSessionId }: RevokeRiderTokens,
): Promise<number> {
  const { epoch, ended } = await ctx.transact(by.scope, async (tx) => {
    // Held in either case: what is issued beside this comes after it.
    const raised =
      exceptSessionId === undefined ? await raiseRiderEpoch(tx, riderId) : await lockRiderEpoch(tx, riderId)
    const families = exceptSessionId === undefined ? [] : await endOtherFamilies(tx, riderId, exceptSessionId)
    tx.publish(
      auditOf(by.caller, {
        action: 'rider_credential.revoke',
        resourceType: 'rider_credential',
        resourceId: riderId,
        isTest: false,
        after: { token_version: raised, except_session_id: exceptSessionId },
      }),
    )
    return { epoch: raised, ended: families }
  })
  await ctx.epochs.publish([{ credential: `rider:${riderId}`, epoch }, ...ended])
  return epoch
}
