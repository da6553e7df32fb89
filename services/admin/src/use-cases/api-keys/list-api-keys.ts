import type { By, Tenant } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { listKeys } from '../../db/api-keys.ts'
import { findMerchant } from '../../db/merchants.ts'
import type { ApiKey } from '../../domain/api-key.ts'

/** The tenant's keys, revoked ones included, newest first. */
export async function listApiKeys(
  ctx: Context,
  { scope }: By,
  { tenant, ...page }: Page & { tenant: Tenant },
): Promise<{ keys: ApiKey[]; total: number }> {
  const [keys, total] = await ctx.transact(scope, async ({ em }) => {
    if (scope === 'every tenant') await findMerchant(em, tenant.merchantId)
    return listKeys(em, tenant, page)
  })
  return { keys, total }
}
