import { mintApiKey } from '@svc/credentials'
import type { Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { countActiveKeys } from '../../db/api-keys.ts'
import { lockMerchant } from '../../db/merchants.ts'
import type { ApiKey } from '../../domain/api-key.ts'
import { grantScopes } from '../../domain/grant-scopes.ts'
import { assertLabel } from '../../domain/label.ts'
import { apiKeyAudit } from '../../events.ts'
import { newApiKey } from './new-api-key.ts'

const MAX_ACTIVE_KEYS = 200

interface CreateApiKey {
  label?: string
  scopes: readonly string[]
  isTest: boolean
}

/** Mints a key; its text leaves here and is never seen again. A live key needs a verified and approved business. */
export async function createApiKey(
  ctx: Context,
  tenant: Tenant,
  caller: Caller,
  { label, scopes, isTest }: CreateApiKey,
): Promise<{ key: ApiKey; text: string }> {
  assertLabel(label)
  if (caller.isTest && !isTest)
    throw new ServiceError('forbidden', {
      message: 'A test key mints test keys only.',
      details: { reason: 'live_mode_required' },
    })
  const granted = grantScopes({
    requested: scopes,
    held: caller.scopes,
    enterpriseTier: caller.enterpriseTier ?? false,
  })

  return ctx.transact(tenant, async (tx) => {
    const merchant = await lockMerchant(tx.em, tenant.merchantId)
    if (!isTest) merchant.assertMayTradeLive()
    merchant.assertMayMintKeys()
    if ((await countActiveKeys(tx.em, tenant)) >= MAX_ACTIVE_KEYS)
      throw new ServiceError('limit_reached', { details: { limit: MAX_ACTIVE_KEYS } })
    const minted = mintApiKey({ isTest })
    const key = newApiKey(ctx, tx, { merchantId: tenant.merchantId, label: label ?? null, scopes: granted, minted })
    tx.publish(apiKeyAudit(caller, 'api_key.create', key))
    return { key, text: minted.text }
  })
}
