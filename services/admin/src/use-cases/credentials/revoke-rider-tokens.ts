import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockRiderEpoch, raiseRiderEpoch } from '../../db/rider-credentials.ts'
import { endRiderFamilies } from '../../db/sessions.ts'

interface RevokeRiderTokens {
  riderId: string
  /** The one family that goes on; absent: none does. */
  exceptSessionId?: string | undefined
}

/**
 * Ends every token of the rider, or all but those of one family, on every gateway, before it returns the epoch in which
 * the rider's tokens live. Families beyond a thousand end in further transactions, which leave those alone that have begun
 * since the first; asked for again, it goes on.
 */
export async function revokeRiderTokens(
  ctx: Context,
  by: By<'every tenant'>,
  { riderId, exceptSessionId }: RevokeRiderTokens,
): Promise<number> {
  const begun = await ctx.transact(by.scope, async (tx) => {
    // Held in either case: what is issued beside this comes after it.
    const held = exceptSessionId === undefined ? await raiseRiderEpoch(tx, riderId) : await lockRiderEpoch(tx, riderId)
    tx.publish(
      auditOf(by.caller, {
        action: 'rider_credential.revoke',
        resourceType: 'rider_credential',
        resourceId: riderId,
        isTest: false,
        after: { token_version: held.epoch, except_session_id: exceptSessionId },
      }),
    )
    return { ...held, ...(await endRiderFamilies(tx, riderId, exceptSessionId)) }
  })
  const { epoch, heldSince } = begun
  await ctx.epochs.publish([{ credential: `rider:${riderId}`, epoch }, ...begun.ended])
  for (let { hasMore } = begun; hasMore; ) {
    const next = await ctx.transact(by.scope, async (tx) => {
      await lockRiderEpoch(tx, riderId)
      return endRiderFamilies(tx, riderId, exceptSessionId, heldSince)
    })
    await ctx.epochs.publish(next.ended)
    hasMore = next.hasMore
  }
  return epoch
}
