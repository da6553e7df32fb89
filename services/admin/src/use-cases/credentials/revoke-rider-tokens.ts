import type { By } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockRiderEpoch, noteRevocation, raiseRiderEpoch, revokedSince } from '../../db/rider-credentials.ts'
import { endRiderFamilies } from '../../db/sessions.ts'

interface RevokeRiderTokens {
  riderId: string
  /** The one family that goes on; absent: none does. */
  exceptSessionId?: string | undefined
  /** Names the revocation, the same in each repeat; null: a repeat is another one. */
  revocationId: string | null
}

/**
 * Ends every token of the rider, or all but those of one family, on every gateway, before it returns the epoch in which
 * the rider's tokens live. Families beyond a thousand end in further transactions, which leave those alone that have begun
 * since the first; asked for again, it goes on, and leaves them alone too.
 */
export async function revokeRiderTokens(
  ctx: Context,
  by: By<'every tenant'>,
  asked: RevokeRiderTokens,
): Promise<number> {
  const { riderId, exceptSessionId } = asked
  const begun = await ctx.transact(by.scope, async (tx) => {
    const held = await begin(tx, by, asked)
    return {
      ...held,
      ...(await endRiderFamilies(tx, riderId, exceptSessionId, held.isRepeat ? held.heldSince : undefined)),
    }
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

/** Holds the rider: what is issued beside this comes after it. The first time begins the next epoch, and is on record. */
async function begin(
  tx: Tx,
  by: By<'every tenant'>,
  { riderId, exceptSessionId, revocationId }: RevokeRiderTokens,
): Promise<{ epoch: number; heldSince: Date; isRepeat: boolean }> {
  const present = await lockRiderEpoch(tx, riderId)
  const since = revocationId && (await revokedSince(tx, revocationId, riderId))
  if (since) return { epoch: present.epoch, heldSince: since, isRepeat: true }
  const held = exceptSessionId === undefined ? await raiseRiderEpoch(tx, riderId) : present
  if (revocationId) await noteRevocation(tx, revocationId, riderId, held.heldSince)
  tx.publish(
    auditOf(by.caller, {
      action: 'rider_credential.revoke',
      resourceType: 'rider_credential',
      resourceId: riderId,
      isTest: false,
      after: { token_version: held.epoch, except_session_id: exceptSessionId },
    }),
  )
  return { ...held, isRepeat: false }
}
