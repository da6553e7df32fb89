import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockInviteCode, revokeCode } from '../../db/invite-codes.ts'

/** Ends a code for good; one that is revoked or used already stays as it is. */
export async function revokeInviteCode(ctx: Context, by: By<Tenant>, id: string): Promise<void> {
  await ctx.transact(by.scope, async (tx) => {
    const code = await lockInviteCode(tx, by.scope.merchantId, id)
    if (!code) throw new ServiceError('not_found')
    if (code.revokedAt || code.redeemedAt) return
    await revokeCode(tx, id)
    tx.publish(auditOf(by, { action: 'invite_code.revoke', resourceType: 'invite_code', resourceId: id }))
  })
}
