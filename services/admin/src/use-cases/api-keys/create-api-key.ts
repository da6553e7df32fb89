import { type MerchantScope, mintApiKey } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { assertStillJudged, countActiveKeys, insertKey } from '../../db/api-keys.ts'
import { lockMerchant } from '../../db/merchants.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { grantScopes, scopesToGive } from '../../domain/grant-scopes.ts'
import { apiKeyAudit } from '../../events.ts'
import { keptDigest } from '../../security/key-digest.ts'

const MAX_ACTIVE_KEYS = 200

interface CreateApiKey {
  tenant: Tenant
  label?: string | undefined
  /** None: the caller's own. */
  scopes: readonly MerchantScope[]
  isTest: boolean
  /** An operator's alone to give. */
  enterpriseTier: boolean
}

/** Mints a key; its text leaves here this one time. A live key needs a verified and approved business. */
export async function createApiKey(
  ctx: Context,
  { caller, scope }: By,
  { tenant, label, scopes, isTest, enterpriseTier }: CreateApiKey,
): Promise<{ key: ApiKey; text: string }> {
  if (caller.isTest && !isTest)
    throw new ServiceError('forbidden', {
      message: 'A test key makes test keys only: send "is_test": true, or log in to make a live key.',
      details: { reason: 'live_mode_required' },
    })
  return ctx.transact(scope, async (tx) => {
    const merchant = await lockMerchant(tx.em, tenant.merchantId)
    const { isEnterprise, operatorId } = await assertStillJudged(tx, caller)
    const granted = grantScopes({ requested: scopes, held: scopesToGive(caller), enterpriseTier: isEnterprise })
    if (!isTest) merchant.assertMayTradeLive()
    merchant.assertMayMintKeys()
    if ((await countActiveKeys(tx.em, tenant)) >= MAX_ACTIVE_KEYS)
      throw new ServiceError('limit_reached', { details: { limit: MAX_ACTIVE_KEYS } })
    const minted = mintApiKey({ isTest })
    const key = insertKey(tx, {
      merchantId: tenant.merchantId,
      label: label ?? null,
      scopes: granted,
      enterpriseTier,
      madeByOperator: operatorId,
      minted,
      digest: keptDigest(ctx.config.apiKeyPepper, minted.secretSha256),
    })
    tx.publish(apiKeyAudit(caller, 'api_key.create', key))
    return { key, text: minted.text }
  })
}
