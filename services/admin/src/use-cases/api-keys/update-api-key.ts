import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertStillJudged, lockKey, tenantOfKey } from '../../db/api-keys.ts'
import { lockMerchant } from '../../db/merchants.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { apiKeyAudit } from '../../events.ts'

/**
 * Gives a key the enterprise tier, with which it mints keys of scopes that it does not hold, or takes it away, which
 * holds from the next act of the key on. Tokens made from it, and by it, live on.
 */
export async function updateApiKey(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { id, enterpriseTier }: { id: string; enterpriseTier: boolean },
): Promise<ApiKey> {
  return ctx.transact(scope, async (tx) => {
    const tenant = await tenantOfKey(tx, id)
    await lockMerchant(tx.em, tenant.merchantId)
    await assertStillJudged(tx, caller)
    const found = await lockKey(tx.em, tenant, id)
    if (found.revokedAt) throw new ServiceError('not_found', { message: 'The key is revoked.' })
    if (found.changeTier(enterpriseTier))
      tx.publish(apiKeyAudit(caller, 'api_key.update', found, { enterprise_tier: !enterpriseTier }))
    return found
  })
}
