import { mintApiKey } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertStillJudged, lockKey } from '../../db/api-keys.ts'
import { lockMerchant } from '../../db/merchants.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { assertHolds, scopesToGive } from '../../domain/grant-scopes.ts'
import { apiKeyAudit } from '../../events.ts'
import { keptDigest } from '../../security/key-digest.ts'

/**
 * Gives a key a new secret under the same id. When this returns, the old secret and all tokens made from it are dead on
 * every gateway. Like minting, it hands out a secret: only for scopes that the caller holds, and to whom it
 * is shown stands in the key.
 */
export async function rotateApiKey(
  ctx: Context,
  { caller, scope }: By,
  { tenant, id, label }: { tenant: Tenant; id: string; label?: string | undefined },
): Promise<{ key: ApiKey; text: string }> {
  const rotated = await ctx.transact(scope, async (tx) => {
    await lockMerchant(tx.em, tenant.merchantId)
    const { isEnterprise, operatorId } = await assertStillJudged(tx, caller)
    const key = await lockKey(tx.em, tenant, id)
    if (key.revokedAt) throw new ServiceError('not_found', { message: 'The key is revoked.' })
    if (!isEnterprise) assertHolds(scopesToGive(caller), key.scopes)
    const before = { last4: key.last4, label: key.label }
    const minted = mintApiKey({ isTest: key.isTest, keyId: key.keyId })
    key.rotate(minted, {
      digest: keptDigest(ctx.config.apiKeyPepper, minted.secretSha256),
      madeByOperator: operatorId,
      label,
    })
    tx.publish(apiKeyAudit(caller, 'api_key.rotate', key, before))
    return { key, text: minted.text }
  })
  await ctx.epochs.publish([{ credential: rotated.key.credential(), epoch: rotated.key.epoch }])
  return rotated
}
