import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertStillJudged, lockKey, tenantOfKey } from '../../db/api-keys.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { assertHolds, scopesToGive } from '../../domain/grant-scopes.ts'
import { apiKeyAudit } from '../../events.ts'

/**
 * Ends a key and every token made from it, on every gateway, before it returns. A revoked key stays as it is. Like
 * rotating it takes the scopes of the key: no credential ends a stronger one. An operator ends any, of whichever merchant.
 */
export async function revokeApiKey(ctx: Context, { caller, scope }: By, { id }: { id: string }): Promise<void> {
  const key = await ctx.transact(scope, async (tx) => {
    const tenant = scope === 'every tenant' ? await tenantOfKey(tx, id) : scope
    await lockMerchant(tx.em, tenant.merchantId)
    const { isEnterprise } = await assertStillJudged(tx, caller)
    const found = await lockKey(tx.em, tenant, id)
    if (!isEnterprise) assertHolds(scopesToGive(caller), found.scopes)
    if (found.revoke(tx.now)) tx.publish(apiKeyAudit(caller, 'api_key.revoke', found))
    return found
  })
  // Even when nothing changed: the first reply may have been lost together with its publication.
  await ctx.epochs.publish([{ credential: key.credential(), epoch: key.epoch }])
}
