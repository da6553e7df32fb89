import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { raiseRiderEpoch } from '../../db/rider-credentials.ts'

/** Ends every token of the rider, on every gateway, before it returns the epoch in which new ones live. */
export async function revokeRiderTokens(
  ctx: Context,
  by: By<'every tenant'>,
  { riderId }: { riderId: string },
): Promise<number> {
  const epoch = await ctx.transact(by.scope, async (tx) => {
    const raised = await raiseRiderEpoch(tx, riderId)
    tx.publish(
      auditOf(by.caller, {
        action: 'rider_credential.revoke',
        resourceType: 'rider_credential',
        resourceId: riderId,
        isTest: false,
        after: { token_version: raised },
      }),
    )
    return raised
  })
  await ctx.epochs.publish([{ credential: `rider:${riderId}`, epoch }])
  return epoch
}
