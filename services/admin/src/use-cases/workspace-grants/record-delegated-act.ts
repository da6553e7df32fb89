import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findMerchant } from '../../db/merchants.ts'
import { holdGrantVerdict } from '../../db/workspace-grants.ts'

interface RecordDelegatedAct {
  grantor: string
  grantee: string
  /** Of the grant, as it was judged. */
  epoch: number
  actor: { type: 'merchant_key' | 'merchant_user'; id: string }
  isTest: boolean
  operation: string
  path: string
  ip: string | undefined
}

/**
 * Records in both tenants what a grantee is about to change, before it does: no delegated change is without its entries,
 * whoever dies meanwhile. The grant is read again, so that nothing begins after its end, with or without Redis.
 */
export async function recordDelegatedAct(
  ctx: Context,
  { caller }: By<'every tenant'>,
  { grantor, grantee, epoch, actor, isTest, operation, path, ip }: RecordDelegatedAct,
): Promise<void> {
  await ctx.transact('every tenant', async (tx) => {
    const grant = await holdGrantVerdict(tx, grantor, grantee)
    if (!grant || grant.revoked || grant.epoch !== epoch)
      throw new ServiceError('forbidden', { details: { reason: 'no_active_grant' } })
    if (!isTest && actor.type === 'merchant_key') (await findMerchant(tx.em, grantor)).assertMayTradeLive()
    const by = { actor, actingFor: grantor, requestId: caller.requestId, ...(ip !== undefined && { ip }) }
    for (const merchantId of [grantor, grantee]) {
      const act = { action: 'delegation.act', resourceType: 'workspace_grant', resourceId: grant.id }
      const after = { operation, path, grantor_merchant_id: grantor, grantee_merchant_id: grantee }
      tx.publish(auditOf(by, { ...act, merchantId, isTest, after }))
    }
  })
}
