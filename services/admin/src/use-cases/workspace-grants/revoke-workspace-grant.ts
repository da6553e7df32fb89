import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertStillJudged } from '../../db/api-keys.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { lockGivenGrant, logsOfGrant } from '../../db/workspace-grants.ts'
import { workspaceGrantAudits } from '../../events.ts'

/**
 * Ends a grant that the tenant gave, and every token made of it, on every gateway, before it returns. A revoked grant stays
 * as it is. A test credential ends none that reaches live objects.
 */
export async function revokeWorkspaceGrant(
  ctx: Context,
  { caller, scope: tenant }: By<Tenant>,
  { id }: { id: string },
): Promise<void> {
  const grant = await ctx.transact('every tenant', async (tx) => {
    await lockMerchant(tx.em, tenant.merchantId)
    await assertStillJudged(tx, caller)
    const found = await lockGivenGrant(tx.em, tenant, id)
    if (caller.isTest && !found.isTest)
      throw new ServiceError('forbidden', { details: { reason: 'live_mode_required' } })
    if (found.revoke(tx.now)) {
      const logs = await logsOfGrant(tx, found)
      for (const audit of workspaceGrantAudits(caller, 'workspace_grant.revoke', found, logs)) tx.publish(audit)
    }
    return found
  })
  // Even when nothing changed: the first reply may have been lost together with its publication.
  await ctx.epochs.publish([{ credential: grant.credential(), epoch: grant.epoch }])
}
